import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackedPackage } from "./published-packages.ts";
import { runProgram } from "./run-program.ts";

const example = join(import.meta.dirname, "../../examples/acme-reports");
const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel", "error"];

/** npm as somebody outside of this repository runs it: nothing of this process's configuration reaches it but the registry's. */
const outside = { ...process.env, NODE_OPTIONS: "" };

async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  return runProgram({ folder, environment: outside }, "npm", args);
}

/** Copies the example out of the repository, and installs the packed packages in it with plain npm. */
export async function installExample(folder: string, packed: readonly PackedPackage[]): Promise<string> {
  const project = join(folder, "acme-reports");
  await cp(example, project, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
  await npm(project, "install", ...quiet, "--save-dev", ...tarballsOf(packed, ["@reports/core", "@reports/client"]));
  return project;
}

/**
 * Builds the project and checks its types under both ways of resolving modules, with its own compiler and with the one before, and runs its
 * tests on two versions of Node.
 */
export async function checkExample(project: string): Promise<void> {
  const check = ["tsc", "--project", "tsconfig.bundler.json"];
  await Promise.all([
    npm(project, "run", "build").then(() => npm(project, "run", "check")),
    npm(project, "exec", "--yes", "--package=typescript@5.9", "--", ...check),
  ]);
  await npm(project, "test");
  await npm(project, "exec", "--yes", "--package=node@22", "--", "node", "--test", "test/*.test.js");
}

/** Packs the project, and installs it beside core where API and worker are to find it, as an image does. */
export async function deployExample(
  folder: string,
  project: string,
  packed: readonly PackedPackage[],
): Promise<string> {
  const deployment = join(folder, "deployment");
  await mkdir(deployment);
  await writeFile(join(deployment, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await npm(project, "pack", "--loglevel", "error", "--ignore-scripts", "--pack-destination", deployment);
  const own = join(deployment, "acme-reports-1.0.0.tgz");
  await npm(deployment, "install", ...quiet, "--omit=dev", own, ...tarballsOf(packed, ["@reports/core"]));
  return deployment;
}

function tarballsOf(packed: readonly PackedPackage[], names: readonly string[]): string[] {
  return packed.filter(({ name }) => names.includes(name)).map(({ tarball }) => tarball);
}
