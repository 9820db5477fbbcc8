import { StoreUnavailableError } from "@reports/core/base";
import type { Report } from "@reports/core/report";
import { createLogger, createMetrics, createTracer } from "@reports/runtime";
import { startTraceCollector } from "@reports/testing";
import type { JobHelpers } from "graphile-worker";
import { expect, test } from "vitest";
import { startWorkerUnderTest } from "../test/worker-under-test.ts";
import { createReportMetrics } from "./report-metrics.ts";
import { createRunReportTask } from "./run-report.ts";

const logger = createLogger({ name: "worker", level: "silent" });
const startedBy = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("each attempt is a separate trace, linked to the start and the previous attempt", async () => {
  await using collector = await startTraceCollector();
  let failures = 1;
  await using worker = await startWorkerUnderTest({
    demoData: true,
    wrapRender: (render) => async (request, context) => {
      if (failures-- > 0) throw new StoreUnavailableError("The replica is away: host=secret-name");
      for (const rowsDone of [1, 2])
        context.onProgress({ phase: "rendering", rowsDone, rowsTotal: 12 }, 1_780_000_000_000);
      // A slow rendering reports further steps, whose number depends on its speed.
      return render(request, {
        ...context,
        onProgress: (step, atMs) => {
          if (step.phase === "querying") context.onProgress(step, atMs);
        },
      });
    },
  });
  const traces = await createTracer({ endpoint: collector.url, share: 1, service: "reports-worker", logger });
  const task = createRunReportTask({
    ...worker.deps,
    logger,
    traces,
    metrics: createReportMetrics(createMetrics(), []),
    requeueSignal: new AbortController().signal,
    gate: { run: async (_, work) => work() },
    lane: "quick",
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv", title: "secret-title" });
  const payload = { reportId: id, traceparent: startedBy };
  await task(payload, {} as JobHelpers);
  await task(payload, {} as JobHelpers);
  const report: Report = await worker.find(id);
  expect(report).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
  await task(payload, {} as JobHelpers);
  await traces.close();

  // Requests with spans can arrive in any order.
  const spans = collector.spans.toSorted((one, other) => one.startMs - other.startMs);
  const attempts = spans.filter(({ name }) => name === "report attempt");
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    attributesOf(id, 1, "requeued"),
    attributesOf(id, 2, "succeeded"),
  ]);
  const [first, second] = attempts;
  const start = { traceId: startedBy.slice(3, 35), spanId: startedBy.slice(36, 52) };
  expect(first!.links).toEqual([start]);
  expect(second!.links).toEqual([start, { traceId: first!.traceId, spanId: first!.spanId }]);
  expect([first!.failure, second!.failure]).toEqual(["StoreUnavailableError", null]);
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual(["", ""]);
  expect(new Set([first!.traceId, second!.traceId, start.traceId]).size).toBe(3);

  const parts = spans.filter(({ parentSpanId }) => parentSpanId !== "");
  expect(parts.map(({ name, traceId, parentSpanId, failure }) => [name, traceId, parentSpanId, failure])).toEqual([
    ["render", first!.traceId, first!.spanId, "StoreUnavailableError"],
    ["render", second!.traceId, second!.spanId, null],
    ["store file", second!.traceId, second!.spanId, null],
  ]);
  const [, render] = parts;
  expect(render!.events).toEqual([
    { name: "rendering", atMs: 1_780_000_000_000 },
    { name: "querying", atMs: expect.any(Number) },
  ]);
  expect(render!.attributes).toMatchObject({ "report.rows": 12 });
  expect(JSON.stringify(collector.spans)).not.toContain("secret");
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(["reports-worker"]));
});

function attributesOf(id: string, attempt: number, outcome: string) {
  return {
    "report.id": id,
    "report.type": "PROXY",
    "report.format": "csv",
    "report.attempt": attempt,
    "report.outcome": outcome,
  };
}
