import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserOnly, compile, installPackage, nodeOnly } from "./test/installed-package.ts";

let installed: Awaited<ReturnType<typeof installPackage>>;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(async () => installed[Symbol.asyncDispose]());

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
    await writeFile(join(installed.folder, "on-node.ts"), source);
    const files = ["on-node.ts"];
    expect(await compile(installed.folder, { compilerOptions: { ...nodeOnly, noEmit: true }, files })).toBe("");
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
    await writeFile(join(installed.folder, "in-browsers.ts"), source);
    const files = ["in-browsers.ts"];
    expect(await compile(installed.folder, { compilerOptions: { ...browserOnly, noEmit: true }, files })).toBe("");
  });
});
