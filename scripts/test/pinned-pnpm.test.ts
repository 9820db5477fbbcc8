import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "reports-pnpm-"));
const programPackage = `@pnpm/exe.${process.platform}-${process.arch}`;

function pack(name: string, says: string) {
  const content = mkdtempSync(join(folder, "content-"));
  mkdirSync(join(content, "package"));
  writeFileSync(
    join(content, "package/package.json"),
    JSON.stringify({ name, version: "1.0.0", bin: { pnpm: "pnpm" } }),
  );
  writeFileSync(join(content, "package/pnpm"), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  const bytes = execFileSync("tar", ["--create", "--gzip", "--directory", content, "package"]);
  return { name, bytes, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
}

const genuine = pack(programPackage, "genuine");
let served = [genuine];
const registry = createServer((request, response) => {
  const path = decodeURIComponent(request.url!);
  const found = served.find(({ name }) => path === `/${name}` || path === `/${name}.tgz`);
  if (found === undefined) return void response.writeHead(404).end();
  if (path.endsWith(".tgz")) return void response.end(found.bytes);
  const { name, integrity } = found;
  const dist = { tarball: `http://${request.headers.host}/${name}.tgz`, integrity };
  const versions = { "1.0.0": { name, version: "1.0.0", bin: { pnpm: "pnpm" }, dist } };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ name, "dist-tags": { latest: "1.0.0" }, versions }));
});
beforeAll(() => new Promise<void>((resolve) => void registry.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

async function fetchPackages(lines: string) {
  const checkout = mkdtempSync(join(folder, "checkout-"));
  for (const path of ["deploy/fetch-packages.sh", "scripts/install-pnpm.mjs"])
    cpSync(join(root, path), join(checkout, path));
  writeFileSync(
    join(checkout, "package.json"),
    JSON.stringify({ devEngines: { packageManager: { name: "pnpm", version: "1.0.0", onFail: "ignore" } } }),
  );
  writeFileSync(join(checkout, "pnpm-lock.yaml"), lines);
  const { port } = registry.address() as AddressInfo;
  const env = {
    PATH: process.env.PATH,
    HOME: checkout,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_fetch_retries: "0",
  };
  return new Promise<{ failed: boolean; output: string; complained: string }>((resolve) => {
    execFile("sh", ["deploy/fetch-packages.sh"], { cwd: checkout, env }, (error, output, complained) =>
      resolve({ failed: error !== null, output, complained }),
    );
  });
}

const locked = `packages:\n\n  '${programPackage}@1.0.0':\n    resolution: {integrity: ${genuine.integrity}}\n`;

test("fetch-packages.sh does not run a pnpm whose digest differs from the lockfile's", async () => {
  served = [pack(programPackage, "tampered"), pack("pnpm", "tampered")];
  const { failed, output, complained } = await fetchPackages(locked);
  expect({ failed, output }).toEqual({ failed: true, output: "" });
  expect(complained).toContain("EINTEGRITY");
  served = [genuine];
  expect(await fetchPackages(locked)).toMatchObject({ failed: false, output: "genuine\n" });
});

test("the lockfile has pnpm's digest for every platform whose Node it pins", () => {
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const { devEngines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly devEngines: { readonly packageManager: { readonly version: string } };
  };
  for (const platform of ["linux-x64", "linux-arm64"])
    expect(lockfile).toContain(
      `\n  '@pnpm/exe.${platform}@${devEngines.packageManager.version}':\n    resolution: {integrity: sha512-`,
    );
});
