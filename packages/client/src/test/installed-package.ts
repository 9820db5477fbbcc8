import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const packageFolder = join(import.meta.dirname, "../..");
const root = join(packageFolder, "../..");
const strict = {
  target: "es2024",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};
export const nodeOnly = { ...strict, module: "nodenext", lib: ["es2024"], types: ["node"] };
export const browserOnly = {
  ...strict,
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
};

/** Compiles the package into the `node_modules` of a new folder, as a program that depends on the package has it. */
export async function installPackage() {
  const folder = await mkdtemp(join(tmpdir(), "client-package-"));
  const installed = join(folder, "node_modules/@reports/client");
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  await symlink(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  await mkdir(installed, { recursive: true });
  const text = await readFile(join(packageFolder, "package.json"), "utf8");
  const { publishConfig, ...manifest } = JSON.parse(text) as { readonly publishConfig: { readonly exports: unknown } };
  await writeFile(join(installed, "package.json"), JSON.stringify({ ...manifest, exports: publishConfig.exports }));
  const source = join(packageFolder, "src");
  const complaints = await compile(installed, {
    compilerOptions: {
      ...nodeOnly,
      typeRoots: [join(root, "node_modules/@types")],
      rewriteRelativeImportExtensions: true,
      declaration: true,
      rootDir: source,
      outDir: join(installed, "dist"),
    },
    files: ["index.ts", "node.ts", "times.ts"].map((name) => join(source, name)),
  });
  if (complaints !== "") throw new Error(complaints);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return { folder, [Symbol.asyncDispose]: async () => rm(folder, { recursive: true }) };
}

export async function compile(where: string, config: object): Promise<string> {
  const path = join(where, "tsconfig.test.json");
  await writeFile(path, JSON.stringify(config));
  const run = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["--project", path]);
  return run.then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  );
}
