import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment, ProcessOptions } from "@reports/testing";

const root = join(import.meta.dirname, "../..");
/** What the build is told of its commit. */
export const builtRevision = "of-these-tests";

/**
 * Builds an app by every RUN step of its Dockerfile, in a copy of the sources that holds nothing else, and moves the result to
 * another place, as COPY does. Gives the folder in which it runs. Only the build stage may have RUN steps: the final one only copies.
 */
export function buildByDockerfile(app: "api" | "worker", folder: string): string {
  const sources = join(folder, `${app}-sources`);
  copySources(sources);
  const [build, final] = stagesOf(app);
  const steps = [...build.matchAll(/^RUN (?:--mount=\S+ )*(.+)$/gm)].map(([, step]) => step!);
  if (steps.length === 0) throw new Error(`The build stage of deploy/${app}.Dockerfile has no RUN step.`);
  if (/^RUN /m.test(final))
    throw new Error(`The final stage of deploy/${app}.Dockerfile has a RUN step, which nothing tries.`);
  const built = join(folder, `${app}-built`);
  for (const step of steps) {
    const here = step.replaceAll("/app", built).replaceAll("/spool", join(folder, `${app}-spool`));
    execFileSync("sh", ["-c", here], {
      cwd: sources,
      env: { ...process.env, REVISION: builtRevision },
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const deployed = join(folder, "elsewhere", app);
  mkdirSync(dirname(deployed), { recursive: true });
  renameSync(built, deployed);
  return deployed;
}

/** What the image of an app starts: the arguments behind `node`. */
export function commandOf(app: "api" | "worker"): string[] {
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

/** What a build context holds: what git tracks or would. */
function copySources(target: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString().split("\0").filter(Boolean)) {
    cpSync(join(root, path), join(target, path), { force: true });
  }
}

/** Returns what runs node in a deployed folder with nothing but the given environment. */
export function deployedProgram(folder: string, args: readonly string[], environment: Environment): ProcessOptions {
  return { name: args.join(" "), args, cwd: folder, environment: { NODE_ENV: "production", ...environment } };
}
