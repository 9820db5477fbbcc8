import { expect, test } from "vitest";
import { createLogger } from "../log/logger.ts";
import { parseTraceparent } from "../traceparent.ts";
import { createTracer } from "./create-tracer.ts";
import { noopTracer } from "./tracer.ts";

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("without a collector, spans have a traceparent, and no SDK is loaded", async () => {
  const logger = createLogger({ name: "api", level: "silent" });
  const traces = await createTracer({ endpoint: undefined, share: 1, service: "reports-api", logger });
  expect(traces).toBe(noopTracer);
  const { traceparent } = traces.begin("GET", { kind: "server", parent });
  expect(parseTraceparent(traceparent)).toMatchObject({ traceId: parent.slice(3, 35), sampled: true });
  expect(traceparent).not.toBe(parent);
  expect(parseTraceparent(traces.begin("GET", { kind: "server", parent: "nonsense" }).traceparent)).not.toBe(null);
  expect(traces.begin("attempt", { kind: "consumer", traceparent: parent }).traceparent).toBe(parent);
});

test("an unavailable collector of traces causes at most two warnings for 2,000 traces", async () => {
  const lines: string[] = [];
  const logger = createLogger({ name: "api", level: "info", destination: { write: (line) => void lines.push(line) } });
  // No process listens on port 1. A port that was free a moment ago could belong to another process.
  const traces = await createTracer({ endpoint: "http://127.0.0.1:1", share: 1, service: "reports-api", logger });
  for (let time = 0; time < 2_000; time++) traces.begin("GET", { kind: "server" }).end();
  await traces.close();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)[0]).toMatch(
    /traces (cannot be|were not) exported/,
  );
  expect(lines.length).toBeLessThanOrEqual(2);
});

test("a process samples its own traces, and follows the caller's decision for others", async () => {
  const logger = createLogger({ name: "api", level: "silent" });
  const traces = await createTracer({ endpoint: "http://127.0.0.1:1", share: 0, service: "reports-api", logger });
  const sampledOf = (given: string | null) =>
    parseTraceparent(traces.begin("GET", { kind: "server", parent: given }).traceparent)?.sampled;
  expect([sampledOf(null), sampledOf(parent), sampledOf(parent.replace(/01$/, "00"))]).toEqual([false, true, false]);
});
