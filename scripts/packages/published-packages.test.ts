import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { findPackageFaults } from "./find-package-faults.ts";
import { listPublishedPackageFolders, readPackageManifest } from "./published-packages.ts";

const root = join(import.meta.dirname, "../..");
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "reports-package-"));
  folders.push(folder);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

test("only the packages core, client and cli can be published", () => {
  const allowed = ["apps/cli", "packages/client", "packages/core"];
  const folders = listPublishedPackageFolders().map((folder) => folder.slice(root.length + 1));
  expect(folders).toContain("packages/core");
  expect(folders.filter((folder) => !allowed.includes(folder))).toEqual([]);
  for (const folder of listPublishedPackageFolders()) {
    const { scripts, publishConfig } = readPackageManifest(join(folder, "package.json"));
    expect(publishConfig?.access).toBe("restricted");
    expect(scripts?.["prepublishOnly"]).toBe("node ../../scripts/require-own-registry.mjs");
    expect(scripts?.["prepack"]).toMatch(/^node -e "fs\.rmSync\('dist'.* && tsc -b$/);
  }
});

const sound = {
  "package.json": JSON.stringify({
    name: "@reports/sound",
    version: "1.2.0",
    license: "UNLICENSED",
    engines: { node: ">=22" },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    peerDependencies: { zod: "^4.1.0" },
  }),
  "README.md": "",
  LICENSE: "",
  "CHANGELOG.md": "# sound\n\n## 1.2.0 - 2026-01-31\n\n- More.\n",
  "dist/index.js": "",
  "dist/index.d.ts": "",
  "dist/index.js.map": JSON.stringify({ sources: ["../src/index.ts"] }),
  "src/index.ts": "",
};

test("findPackageFaults finds nothing in a complete package", () => {
  expect(findPackageFaults(folderWith(sound), [])).toEqual([]);
});

test("findPackageFaults reports missing files, surplus files and private dependencies", () => {
  const broken = {
    ...sound,
    "package.json": JSON.stringify({
      name: "@reports/broken",
      version: "2.0.0",
      exports: { ".": { "@reports/source": "./src/index.ts", default: "./dist/main.js" } },
      dependencies: { "@reports/db": "workspace:*", zod: "catalog:" },
    }),
    "dist/index.js.map": JSON.stringify({ sources: ["../src/gone.ts"] }),
    "dist/index.test.js": "",
    "dist/.tsbuildinfo": "",
  };
  expect(findPackageFaults(folderWith(broken), ["@reports/broken"]).toSorted()).toEqual([
    "./dist/main.js is missing.",
    "@reports/db has the version range workspace:*, which only this workspace can resolve.",
    "@reports/db is not published.",
    "CHANGELOG.md has no section for 2.0.0.",
    "dist/.tsbuildinfo must not be published.",
    "dist/index.js.map refers to ../src/gone.ts, which is not in the package.",
    "dist/index.test.js must not be published.",
    "exports contains @reports/source, a condition for development only.",
    "package.json does not say which Node is needed.",
    "package.json names no license.",
    "zod has the version range catalog:, which only this workspace can resolve.",
  ]);
});

test("`pnpm publish` fails if no registry is configured for the scope @reports", async () => {
  const publish = async (npmrc: string) => {
    const environment = { PATH: process.env.PATH, HOME: folderWith({ ".npmrc": npmrc }) };
    const script = join(root, "scripts/require-own-registry.mjs");
    return promisify(execFile)(process.execPath, [script], { cwd: environment.HOME, env: environment }).then(
      () => "goes on",
      (error: { readonly stderr: string }) => error.stderr,
    );
  };
  expect(await publish("registry=https://everything.example.com/\n")).toContain(
    "Not published: no registry is configured for the scope @reports",
  );
  expect(await publish("@reports:registry=https://own.example.com/\n")).toBe("goes on");
});
