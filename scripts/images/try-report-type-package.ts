import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import type { DockerEngine } from "./docker-engine.ts";

const guide = "docs/guides/running/install-report-types.md";

const files = {
  "package.json": JSON.stringify({
    name: "@acme/reports",
    version: "1.4.0",
    type: "module",
    exports: "./index.js",
    peerDependencies: { "@reports/core": "^1.0.0" },
  }),
  "index.js": `
    import { defineReportTypes } from "@reports/core/report-type";
    const definition = { type: "ACME", version: 1, title: "Acme", columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: { kind: "objects", rows: () => [] } };
    export default defineReportTypes([{ authority: "REPORT_ACME", definition }]);`,
} as const;

/**
 * Builds the Dockerfile of the guide on the images of worker and API, and runs the command of the guide in both. No registry has the package, so its
 * lockfile names files. Returns the path of the packed core. Throws a CommandExitError if a step fails.
 */
export async function tryReportTypePackage(engine: DockerEngine, folder: string, base: string): Promise<string> {
  const { packages, project } = await packTypes(folder);
  const { dockerfile, command } = await readGuide();
  const withPackages = join(folder, "packages.Dockerfile");
  await writeFile(withPackages, `FROM ${base}\nCOPY . /packages\n`);
  await engine.run("build", "--quiet", "--file", withPackages, "--tag", "node-with-packages", packages);
  for (const app of ["worker", "api"]) {
    const image = `${app}-with-types`;
    const file = join(folder, `${image}.Dockerfile`);
    const onApp = replaceOnce(dockerfile, "FROM report-gateway-worker", `FROM report-gateway-${app}`);
    await writeFile(file, replaceOnce(onApp, `FROM ${base}`, "FROM node-with-packages"));
    await engine.run("build", "--quiet", "--file", file, "--tag", image, project);
    const printed = await engine.run("run", "--rm", image, ...command.trim().split(" "));
    if (!printed.includes("ACME (version 1)"))
      throw new CommandExitError(`${command} in ${image} does not name the type of the package:\n${printed}`);
  }
  return join(
    packages,
    (await readdir(packages)).find((name) => name.startsWith("reports-core-"))!,
  );
}

async function packTypes(folder: string): Promise<{ readonly packages: string; readonly project: string }> {
  // The images have the folders at /packages and /types. The lockfile's relative paths from one to the other are valid there, too.
  const [source, packages, project] = [join(folder, "source"), join(folder, "packages"), join(folder, "types")];
  await Promise.all([source, packages, project].map(async (path) => mkdir(path, { recursive: true })));
  for (const [name, text] of Object.entries(files)) await writeFile(join(source, name), text);
  await runProgram({ folder: source }, "npm", ["pack", "--pack-destination", packages]);
  await runProgram({ folder: join(checkoutFolder, "packages/core") }, "pnpm", ["pack", "--pack-destination", packages]);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true }));
  await writeFile(join(project, ".npmrc"), "@acme:registry=https://npm.example.com/\n");
  const tarballs = (await readdir(packages)).map((name) => `../packages/${name}`);
  await runProgram({ folder: project }, "npm", ["install", "--package-lock-only", "--ignore-scripts", ...tarballs]);
  return { packages, project };
}

async function readGuide(): Promise<{ readonly dockerfile: string; readonly command: string }> {
  const page = await readFile(join(checkoutFolder, guide), "utf8");
  const [dockerfile, command] = ["dockerfile", "sh"].map(
    (language) => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(page)?.[1],
  );
  if (dockerfile === undefined || command === undefined)
    throw new CommandExitError(`${guide} has no Dockerfile or no command.`);
  return { dockerfile, command };
}

function replaceOnce(text: string, part: string, replacement: string): string {
  if (text.split(part).length !== 2) throw new CommandExitError(`${guide} must contain "${part}" exactly once.`);
  return text.replace(part, replacement);
}
