import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserOnly, compile, installPackage, packageFolder } from "./test/installed-package.ts";

let installed: Awaited<ReturnType<typeof installPackage>>;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(async () => installed[Symbol.asyncDispose]());

test("the package's sources for browsers compile without the types of Node.js", async () => {
  const compilerOptions = { ...browserOnly, allowImportingTsExtensions: true, noEmit: true };
  const files = [join(packageFolder, "src/index.ts"), join(packageFolder, "src/times.ts")];
  expect(await compile(installed.folder, { compilerOptions, files })).toBe("");
});

describe("bundles of the package", () => {
  async function bundle(platform: "browser" | "node") {
    const { outputFiles, metafile } = await build({
      stdin: { contents: 'export { createGateway } from "@reports/client";', resolveDir: installed.folder },
      bundle: true,
      format: "esm",
      minify: true,
      platform,
      metafile: true,
      write: false,
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    return { text: outputFiles[0]!.text, imports: new Set(imports) };
  }

  test("the bundle for browsers imports nothing and is smaller than 6.5 KB gzipped", async () => {
    const { text, imports } = await bundle("browser");
    expect([...imports]).toEqual([]);
    expect(text).not.toContain("node:");
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(6_500);
  });

  test("the bundle for Node.js imports only modules of Node.js", async () => {
    const { imports } = await bundle("node");
    expect([...imports].toSorted()).toEqual(["node:crypto", "node:fs/promises", "node:url"]);
  });

  test("a bundle of only the errors contains no code of the gateway client", async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export { GatewayError } from "@reports/client";', resolveDir: installed.folder },
      bundle: true,
      format: "esm",
      minify: true,
      platform: "browser",
      write: false,
    });
    expect(outputFiles[0]!.text).not.toContain("fetch");
  });
});
