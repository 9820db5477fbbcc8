import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const checkedPages = ["examples/acme-reports/README.md", "packages/core/README.md"];

export async function checkExampleProject(project: string, environment: Environment): Promise<void> {
  const npm = async (...args: readonly string[]) => runProgram({ folder: project, environment }, "npm", args);
  await Promise.all([
    npm("run", "check"),
    npm("exec", "--yes", "--package=typescript@5.9.3", "--", "tsc", "--project", "tsconfig.bundler.json"),
  ]);
  await npm("exec", "--yes", "--package=node@22.23.3", "--", "node", "--test", "test/*.test.js");
}

export async function copyDocumentedCode(folder: string): Promise<void> {
  for (const [number, page] of checkedPages.entries()) {
    const text = await readFile(join(checkoutFolder, page), "utf8");
    for (const [index, [, code]] of [...text.matchAll(/^```ts\n([^]*?)^```/gm)].entries())
      await writeFile(join(folder, `shown-${number}-${index}.ts`), code!);
  }
}

export async function deployExamples(
  folder: string,
  projects: readonly { readonly name: string; readonly folder: string }[],
  environment: Environment,
): Promise<string> {
  const deployment = join(folder, "deployment");
  await mkdir(deployment);
  await writeFile(join(deployment, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const npm = async (at: string, ...args: readonly string[]) => runProgram({ folder: at, environment }, "npm", args);
  await Promise.all(
    projects.map(async (project) => npm(project.folder, "pack", "--ignore-scripts", "--pack-destination", deployment)),
  );
  const install = "npm install --omit=dev ./*-reports-*.tgz ../reports-core-*.tgz";
  await runProgram({ folder: deployment, environment }, "bash", ["-c", install]);
  const loading = { folder: checkoutFolder, environment: { ...environment, REPORT_TYPES_DIR: deployment } };
  await Promise.all(
    projects.map(async ({ name }) => runProgram(loading, "pnpm", ["operate", "check-report-types", name])),
  );
  return deployment;
}
