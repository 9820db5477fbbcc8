import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const packageFolder = join(import.meta.dirname, "..");
const root = join(packageFolder, "../..");
const strict = {
  target: "es2024",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};
const nodeOnly = { ...strict, module: "nodenext", lib: ["es2024"], types: ["node"] };
const browserOnly = {
  ...strict,
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-package-"));
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
});
afterAll(async () => rm(folder, { recursive: true }));

async function compile(where: string, config: object): Promise<string> {
  const path = join(where, "tsconfig.test.json");
  await writeFile(path, JSON.stringify(config));
  const run = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["--project", path]);
  return run.then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  );
}

const common = `
const { id, status } = await gateway.reports.start({ reportType: "PROXY", searchParam: { health: ["DOWN"] } });
for await (const report of gateway.reports.list({ status: "QUEUED" })) if (report.id === id) break;
const ended = await gateway.reports.wait(id, { onProgress: ({ progress }) => progress.percent?.toFixed() });
if (status === "QUEUED" && ended.file !== null) ended.file.sha256.slice();
const { record, etag } = await gateway.proxies.get("id");
await gateway.proxies.replace("id", { ...record, port: 8443 }, { ifMatch: etag });
const { secret } = await gateway.webhooks.create({ url: "https://receiver.example/hook", events: ["report.succeeded"] });
(await verifyWebhook({ body: "{}", headers: new Headers() }, { secret })).type.length;
for await (const news of gateway.reports.events(id)) if (news.kind === "status") news.event.to.length;
try { await gateway.reportTypes.list(); } catch (error) { if (error instanceof GatewayError) error.issues[0]?.pointer?.length; }
parseTime("in 30 days").value?.length;
`;

describe("programs that install the package", () => {
  test("a program for Node.js compiles, and can download a report to a path", async () => {
    const source = `import { createGateway, GatewayError, verifyWebhook, type DownloadTarget, type Gateway } from "@reports/client";
import * as node from "@reports/client/node";
import { parseTime } from "@reports/client/times";
const gateway: Gateway = createGateway({ baseUrl: new URL("http://localhost"), token: async () => "t" });
const target: DownloadTarget = "certificates.xlsx";
${common}
await gateway.reports.run({ reportType: "PROXY" }, { to: target, signal: AbortSignal.timeout(1) });
await node.createGateway({ baseUrl: "http://localhost", credentials: { name: "n", password: "p" } }).reports.download(ended, new URL("file:///x"));
// @ts-expect-error -- A gateway takes a token callback or credentials, not both.
createGateway({ baseUrl: "http://localhost", token: () => "t", credentials: { name: "n", password: "p" } });
// @ts-expect-error -- A gateway needs a token callback or credentials.
createGateway({ baseUrl: "http://localhost" });
`;
    await writeFile(join(folder, "on-node.ts"), source);
    const files = ["on-node.ts"];
    expect(await compile(folder, { compilerOptions: { ...nodeOnly, noEmit: true }, files })).toBe("");
  });

  test("a program for browsers compiles without the types of Node.js", async () => {
    const source = `import { createGateway, GatewayError, verifyWebhook, type Gateway } from "@reports/client";
import { parseTime } from "@reports/client/times";
const gateway: Gateway = createGateway({ baseUrl: location.origin, token: () => "t", fetch: window.fetch });
${common}
await gateway.reports.download(ended, new WritableStream<Uint8Array>());
// @ts-expect-error -- In browsers, a download has no path as its destination.
await gateway.reports.download(ended, "certificates.xlsx");
`;
    await writeFile(join(folder, "in-browsers.ts"), source);
    const files = ["in-browsers.ts"];
    expect(await compile(folder, { compilerOptions: { ...browserOnly, noEmit: true }, files })).toBe("");
  });

  test("the package's sources for browsers compile without the types of Node.js", async () => {
    const compilerOptions = { ...browserOnly, allowImportingTsExtensions: true, noEmit: true };
    const files = [join(packageFolder, "src/index.ts"), join(packageFolder, "src/times.ts")];
    expect(await compile(folder, { compilerOptions, files })).toBe("");
  });
});

describe("bundles of the package", () => {
  async function bundle(platform: "browser" | "node") {
    const { outputFiles, metafile } = await build({
      stdin: { contents: 'export { createGateway } from "@reports/client";', resolveDir: folder },
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
      stdin: { contents: 'export { GatewayError } from "@reports/client";', resolveDir: folder },
      bundle: true,
      format: "esm",
      minify: true,
      platform: "browser",
      write: false,
    });
    expect(outputFiles[0]!.text).not.toContain("fetch");
  });
});
