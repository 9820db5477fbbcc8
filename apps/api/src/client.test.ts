import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, type Gateway } from "@reports/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothAuthorities, startApiUnderTest, tokenOf, type ApiUnderTest } from "./test/api-under-test.ts";
import { serve } from "./test/event-stream-reader.ts";

let api: ApiUnderTest;
let server: Awaited<ReturnType<typeof serve>>;
let gateway: Gateway;
let baseUrl: string;
let folder: string;

const everything = [...bothAuthorities, "REGISTRY_READ", "REGISTRY_WRITE"];

beforeAll(async () => {
  api = await startApiUnderTest();
  server = await serve(api.listener);
  baseUrl = `http://127.0.0.1:${server.port}`;
  folder = await mkdtemp(join(tmpdir(), "client-"));
  gateway = createGateway({ baseUrl, token: async () => tokenOf(everything) });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("a report is started, waited for and downloaded to a path", async () => {
  const started = await gateway.reports.start({ reportType: "PROXY", format: "csv" });
  expect(started).toMatchObject({ status: "QUEUED", reused: false });
  const waiting = gateway.reports.wait(started.id);
  await api.succeed(started.id, "name\r\nedge-1\r\n");
  const report = await waiting;
  expect(report.status).toBe("SUCCEEDED");
  const path = join(folder, "proxies.csv");
  await gateway.reports.download(report, path);
  expect(await readFile(path, "utf8")).toBe("name\r\nedge-1\r\n");
});

test("lists are read page by page", async () => {
  const started = new Set<string>();
  for (let n = 0; n < 3; n++) started.add((await gateway.reports.start({ reportType: "PROXY_DOMAIN" })).id);
  const listed: string[] = [];
  for await (const { id } of gateway.reports.list({ reportType: "PROXY_DOMAIN", limit: 2 })) listed.push(id);
  expect(new Set(listed)).toEqual(started);
});

test("report types are listed and read", async () => {
  const types = await gateway.reportTypes.list();
  expect(types.map(({ reportType }) => reportType)).toEqual(["PROXY", "PROXY_DOMAIN"]);
  expect(await gateway.reportTypes.get("PROXY")).toEqual(types[0]);
});

test("a name and a password are exchanged for a token", async () => {
  await api.addUser("cleo", "correct horse", ["REPORT_PROXY"]);
  const cleo = createGateway({ baseUrl, credentials: { name: "cleo", password: "correct horse" } });
  expect((await cleo.reports.start({ reportType: "PROXY" })).requestedBy).toBe("basic:cleo");
});
