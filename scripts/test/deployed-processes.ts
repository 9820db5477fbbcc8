import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProcessEnvironment, StandProcessOptions } from "@reports/testing";

const root = join(import.meta.dirname, "../..");
export const testBuildRevision = "of-these-tests";

/**
 * Builds an app like its Dockerfile. Runs the RUN steps in a copy of the tracked sources, and moves the result to another folder, as COPY
 * does. Returns that folder. Throws if the final stage has RUN steps, because this function does not run those.
 */
export function buildAppByDockerfile(app: "api" | "worker", folder: string): string {
  const sources = join(folder, `${app}-sources`);
  copySources(sources);
  const [build, final] = stagesOf(app);
  const steps = [...build.matchAll(/^RUN (?:--mount=\S+ )*(.+)$/gm)].map(([, step]) => step!);
  if (steps.length === 0) throw new Error(`The build stage of deploy/${app}.Dockerfile has no RUN step.`);
  if (/^RUN /m.test(final))
    throw new Error(`The final stage of deploy/${app}.Dockerfile has a RUN step, which is not tested.`);
  const built = join(folder, `${app}-built`);
  for (const step of steps) {
    const here = step.replaceAll("/app", built).replaceAll("/spool", join(folder, `${app}-spool`));
    execFileSync("sh", ["-c", here], {
      cwd: sources,
      env: { ...process.env, REVISION: testBuildRevision },
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const deployed = join(folder, "elsewhere", app);
  mkdirSync(dirname(deployed), { recursive: true });
  renameSync(built, deployed);
  return deployed;
}

export function readDockerfileCommand(app: "api" | "worker"): string[] {
  const command = /^CMD (\[.+\])$/m.exec(stagesOf(app)[1])?.[1] ?? "[]";
  const [program, ...args] = JSON.parse(command) as string[];
  if (program !== "node") throw new Error(`deploy/${app}.Dockerfile does not start node.`);
  return args;
}

function stagesOf(app: "api" | "worker"): [build: string, final: string] {
  const [, build, final, ...more] = readFileSync(join(root, "deploy", `${app}.Dockerfile`), "utf8").split(/^FROM /m);
  if (final === undefined || more.length > 0) throw new Error(`deploy/${app}.Dockerfile does not have two stages.`);
  return [build!, final];
}

/** Copies the files that git tracks, or would track after `git add`, as the build context of an image. */
function copySources(target: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString().split("\0").filter(Boolean)) {
    cpSync(join(root, path), join(target, path), { force: true });
  }
}

export function toDeployedProcessOptions(
  folder: string,
  args: readonly string[],
  environment: ProcessEnvironment,
): StandProcessOptions {
  return { name: args.join(" "), args, cwd: folder, environment: { NODE_ENV: "production", ...environment } };
}
