import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { isFullTestRun, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { setUpApiProcesses, waitForApiOrigin } from "../test/api-process.ts";
import { builtInReportAuthorities, createTestToken } from "../test/api-under-test.ts";

const streams = isFullTestRun ? 1_000 : 400;
const principals = 20;
const mebi = 1024 * 1024;
/**
 * Limit of the peak memory, including garbage. 245 to 257 MiB were measured alone and 271 MiB during other tests, because a busy machine collects
 * garbage later. The chart requests 512 MiB per API process, which also has to hold 60 to 90 MiB of program files.
 */
const maxOwnBytes = 320 * mebi;
/** Limit of the memory per open stream, including its connection and request. 46 KiB were measured. */
const maxStreamBytes = 56 * 1024;
/** Source of a module that collects garbage and prints the heap size each time the process receives SIGUSR2. */
const heapReporter =
  "data:text/javascript,process.on('SIGUSR2',()=>{gc();process.stdout.write(`heap=${process.memoryUsage().heapUsed};`)})";

/** Starts an API process with the default configuration. Only those limits are raised that the test would otherwise reach. */
async function startApi() {
  const apis = await setUpApiProcesses();
  const api = apis.start(
    { CONNECTION_LIMIT_PER_ADDRESS: "0", WATCH_LIMIT_PER_PRINCIPAL: "100" },
    { nodeOptions: ["--expose-gc", "--import", heapReporter] },
  );
  const { port } = new URL(await waitForApiOrigin(api));
  const heaps = () => [...api.stdout().matchAll(/heap=(\d+);/g)].map(([, bytes]) => Number(bytes));
  return {
    port: Number(port),
    /** Returns the peak resident memory in bytes. Excludes mapped program files, whose 60 to 90 MiB depend on the page cache. */
    peakOwnBytes() {
      const status = readFileSync(`/proc/${api.pid}/status`, "utf8");
      const kibiOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)![1]);
      return (kibiOf("VmHWM") - kibiOf("RssFile")) * 1024;
    },
    async heapBytes(): Promise<number> {
      const { length } = heaps();
      api.signal("SIGUSR2");
      return waitFor(() => heaps()[length] ?? null, { what: "the weight of the heap" });
    },
    [Symbol.asyncDispose]: async () => apis[Symbol.asyncDispose](),
  };
}

test.runIf(process.platform === "linux").each(isFullTestRun ? [1, 20] : [20])(
  `${streams} simultaneous event streams of %d reports stay within a memory limit`,
  async (reportCount) => {
    await using api = await startApi();
    const tokens = await Promise.all(
      Array.from({ length: principals }, async (_, number) =>
        createTestToken(builtInReportAuthorities, `follower-${number}`),
      ),
    );
    const ids = await Promise.all(
      tokens.slice(0, reportCount).map(async (token) => {
        const response = await fetch(`http://127.0.0.1:${api.port}/v1/reports`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ reportType: "PROXY", format: "csv" }),
        });
        return ((await response.json()) as { id: string }).id;
      }),
    );
    const heapAtRest = await api.heapBytes();
    const texts = Array.from({ length: streams }, () => "");
    const sockets = texts.map((_, number) => {
      const socket = connect(api.port, "127.0.0.1");
      const id = ids[number % reportCount];
      const token = tokens[number % principals];
      const ask = () => {
        texts[number] = "";
        socket.write(`GET /v1/reports/${id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`);
        socket.write("Accept: text/event-stream\r\n\r\n");
      };
      socket.on("error", () => undefined);
      socket.on("data", (chunk: Buffer) => {
        texts[number] += chunk.toString();
        // A busy API answers 503 to requests that wait too long. The test then repeats the request, as a client would.
        if (/^HTTP\/1.1 503 .*\r\n\r\n\{.*\}$/s.test(texts[number]!)) setTimeout(ask, 1_000);
      });
      ask();
      return socket;
    });
    await waitFor(() => texts.every((text) => text.includes('"to":"QUEUED"')), {
      what: "the first event of every stream",
      timeoutMs: 60_000,
    });
    const peak = api.peakOwnBytes();
    const ofStream = ((await api.heapBytes()) - heapAtRest) / streams;
    for (const socket of sockets) socket.destroy();
    process.stdout.write(
      `${reportCount} reports: ${Math.round(peak / mebi)} MiB at the most, ${Math.round(ofStream / 1024)} KiB a stream\n`,
    );
    expect(peak).toBeLessThan(maxOwnBytes);
    expect(ofStream).toBeLessThan(maxStreamBytes);
  },
  180_000,
);
