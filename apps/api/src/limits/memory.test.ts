import { connect } from "node:net";
import { createTestCaseDivider, findFreePort, readMemoryBytes, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpApiProcesses, waitForReadiness } from "../test/api-process.ts";

const connections = 8;
const requests = 1_500;
/** The resident memory of a Node process with a heap of 384 MiB stays below this limit. */
const maxResidentBytes = 450 * 1024 * 1024;

let apis: Awaited<ReturnType<typeof setUpApiProcesses>>;
let api: Awaited<ReturnType<typeof startSmallApi>>;
beforeAll(async () => {
  apis = await setUpApiProcesses();
  api = await startSmallApi();
}, 120_000);
afterAll(async () => apis[Symbol.asyncDispose]());

async function startSmallApi() {
  const port = await findFreePort();
  const probePort = await findFreePort();
  const started = apis.start(
    { PORT: String(port), PROBE_PORT: String(probePort), LOG_LEVEL: "error" },
    { nodeOptions: ["--max-old-space-size=384"] },
  );
  const ask = async (path: string, at = port) =>
    fetch(`http://127.0.0.1:${at}${path}`, { signal: AbortSignal.timeout(60_000) });
  await waitFor(async () => (await ask("/health/ready").catch(() => null))?.ok === true, {
    what: "the API to be ready",
    timeoutMs: 60_000,
  });
  return {
    port,
    probePort,
    isRunning: () => started.pid !== null,
    ask,
    residentBytes: () => readMemoryBytes(started.pid!, "VmRSS"),
  };
}

test("PROBE_PORT answers probes while one address holds all its connections to PORT", async () => {
  await waitForReadiness(`http://127.0.0.1:${api.port}`, "200");
  // One client address may have 200 connections, so these 450 attempts use all of them.
  const idle = Array.from({ length: 450 }, () => connect(api.port, "127.0.0.1"));
  for (const socket of idle) socket.on("error", () => undefined);
  await waitFor(() => idle.filter(({ closed }) => closed).length >= 200, {
    what: "the connection limit of the address",
  });
  expect((await api.ask("/health/live", api.probePort)).status).toBe(200);
  expect((await api.ask("/v1/proxies", api.probePort)).status).toBe(404);
  expect(await (await api.ask("/metrics", api.probePort)).text()).toMatch(
    /^reports_http_connections_refused_total\{reason="address"\} 2\d\d$/m,
  );
  for (const socket of idle) socket.destroy();
}, 120_000);

/** All paths share the code that limits unread responses, so other runs than CI send only the first. */
const paths = createTestCaseDivider()(["/openapi.json", "/docs", "/problems", "/metrics"], 4);

test.runIf(process.platform === "linux").each(paths)(
  "thousands of unread responses of %s neither fill memory nor block other callers",
  async (path) => {
    const flood = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests);
    const sockets = Array.from({ length: connections }, () => connect(api.port, "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(flood);
    }
    let resident = 0;
    for (let asked = 0; asked < 60; asked++) {
      expect((await api.ask("/health/live")).status).toBe(200);
      resident = Math.max(resident, api.residentBytes());
    }
    for (const socket of sockets) socket.destroy();
    expect(api.isRunning()).toBe(true);
    expect(resident).toBeLessThan(maxResidentBytes);
    process.stdout.write(`${path}: ${Math.round(resident / 1024 ** 2)} MiB at the most\n`);
  },
  120_000,
);
