import type { Report, RunOutcome } from "@reports/core/report";
import { createMetrics } from "@reports/runtime";
import { expect, test } from "vitest";
import { createReportMetrics } from "./report-metrics.ts";

const report = { reportType: "PROXY", options: { format: "csv" }, attempt: 1, startedAt: null } as Report;

test("only the attempt that ends a report counts the report as finished in metrics", async () => {
  const metrics = createMetrics();
  const { observe } = createReportMetrics(metrics, [{ type: "PROXY" }]);
  const ends: RunOutcome[] = [
    { kind: "requeued", report, cause: null, delayMs: 1 },
    { kind: "failed", report, cause: null },
    { kind: "succeeded", report },
    { kind: "closed" },
  ];
  for (const end of ends) observe(end, 1);
  const { body } = await metrics.render();
  const finished = body.matchAll(/^reports_finished_total\{type="PROXY",format="csv",outcome="(\w+)"\} (\d)$/gm);
  expect([...finished].map(([, outcome, count]) => `${outcome} ${count}`)).toEqual([
    "SUCCEEDED 1",
    "FAILED 1",
    "CANCELLED 0",
  ]);
});
