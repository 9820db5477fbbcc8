import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const root = join(import.meta.dirname, "../..");

/** Pages whose TypeScript blocks must compile. */
const checkedPages = ["examples/acme-reports/README.md", "packages/core/README.md"];

/** Checks types of the project and the pages with two compilers and module resolutions. Runs the tests on Node 22, the oldest supported. */
export async function checkExample(project: string, environment: Environment): Promise<void> {
  const npm = async (...args: readonly string[]) => runProgram({ folder: project, environment }, "npm", args);
  await copyShownCode(join(project, "src"));
  await Promise.all([
    npm("run", "check"),
    npm("exec", "--yes", "--package=typescript@5.9.3", "--", "tsc", "--project", "tsconfig.bundler.json"),
  ]);
  await npm("exec", "--yes", "--package=node@22.23.3", "--", "node", "--test", "test/*.test.js");
}

async function copyShownCode(folder: string): Promise<void> {
  for (const [number, page] of checkedPages.entries()) {
    const text = await readFile(join(root, page), "utf8");
    for (const [index, [, code]] of [...text.matchAll(/^```ts\n([^]*?)^```/gm)].entries())
      await writeFile(join(folder, `shown-${number}-${index}.ts`), code!);
  }
}

/** Packs the project, installs it next to core in a new folder, and runs `check-report-types` there. */
export async function deployExample(folder: string, project: string, environment: Environment): Promise<void> {
  const deployment = join(folder, "deployment");
  const npm = async (at: string, ...args: readonly string[]) => runProgram({ folder: at, environment }, "npm", args);
  await mkdir(deployment);
  await writeFile(join(deployment, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await npm(project, "pack", "--ignore-scripts", "--pack-destination", deployment);
  const tarballs = ["acme-reports-*.tgz", "../reports-core-*.tgz"].join(" ");
  await runProgram({ folder: deployment, environment }, "bash", ["-c", `npm install --omit=dev ./${tarballs}`]);
  await runProgram({ folder: root, environment: { ...environment, REPORT_TYPES_DIR: deployment } }, "pnpm", [
    "operate",
    "check-report-types",
    "@acme/reports",
  ]);
}
