import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHostileClient, type HostileClient } from "./hostile-client.ts";

let client: HostileClient;
const asked = new Set<string>();

beforeAll(async () => {
  const listener: RequestListener = ({ url = "" }, response) => {
    if (url === "/dear" || (url === "/dear-once" && !asked.has(url))) useProcessorTime(100_000);
    asked.add(url);
    response.writeHead(400).end();
  };
  client = await openHostileClient(listener, {}, 5);
});
afterAll(async () => client[Symbol.asyncDispose]());

/** Uses this many microseconds of processor time. On a busy machine, that takes longer than the same time by the clock. */
function useProcessorTime(microseconds: number): void {
  const before = process.cpuUsage();
  // cpuUsage itself uses system time, so it is called rarely. Only user time is counted here.
  while (process.cpuUsage(before).user < microseconds) for (let i = 0; i < 10_000; i++) Math.sqrt(i);
}

test("the hostile client throws an error that names a request with too much CPU time", async () => {
  const requests = ["/a", "/b", "/dear", "/c"].map((path) => ({ method: "GET", path }));
  await expect(client.sendAll(requests, () => undefined)).rejects.toThrow(/^GET \/dear .* times the processor time/);
}, 120_000);

test("the hostile client accepts a request that is expensive only the first time", async () => {
  await client.sendAll([{ method: "GET", path: "/dear-once" }], () => undefined);
  expect(asked).toContain("/dear-once");
}, 120_000);
