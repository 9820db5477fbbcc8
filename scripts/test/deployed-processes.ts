import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * Builds an app by the RUN step of its Dockerfile's build stage, in a copy of the sources that holds nothing else, and moves the
 * result to another place, as COPY does. Gives the folder in which it runs.
 */
export function buildByDockerfile(app: "api" | "worker", folder: string): string {
  const sources = join(folder, `${app}-sources`);
  copySources(sources);
  const dockerfile = readFileSync(join(root, "deploy", `${app}.Dockerfile`), "utf8");
  const stage = dockerfile.split(/^FROM /m)[1] ?? "";
  const steps = [...stage.matchAll(/^RUN (.+)$/gm)].map(([, step]) => step!);
  if (steps.length === 0) throw new Error(`The build stage of deploy/${app}.Dockerfile has no RUN step.`);
  const built = join(folder, `${app}-built`);
  for (const step of steps) {
    execFileSync("sh", ["-c", step.replaceAll("/app", built)], {
      cwd: sources,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const deployed = join(folder, "elsewhere", app);
  mkdirSync(dirname(deployed), { recursive: true });
  renameSync(built, deployed);
  return deployed;
}

/** What a build context holds: what git tracks or would. */
function copySources(target: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString().split("\0").filter(Boolean)) {
    cpSync(join(root, path), join(target, path), { force: true });
  }
}

/** A process of a deployed app, with an environment of its own. */
export interface DeployedProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  output(): string;
}

/** Runs a module of a deployed folder with nothing but the given environment. */
export function runDeployed(
  folder: string,
  module: string,
  environment: Readonly<Record<string, string>>,
): DeployedProcess {
  const child = spawn(process.execPath, [module], { cwd: folder, env: { NODE_ENV: "production", ...environment } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, exited, output: () => output };
}
