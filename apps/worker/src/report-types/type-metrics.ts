import type { RequeuedReportCount, TypeProblem } from "@reports/core/report";
import type { Metrics } from "@reports/runtime";

export interface TypeReadings {
  unusable(): ReadonlyMap<string, TypeProblem>;
  awaiting(): Promise<readonly RequeuedReportCount[]>;
}

export function registerTypeMetrics(metrics: Metrics, readings: TypeReadings): void {
  metrics.polledGauge(
    {
      name: "report_type_unusable",
      help: "1 if the data source of this report type does not fit its definition, as this worker sees it; its reports wait.",
      labels: ["type", "reason"],
    },
    () => [...readings.unusable()].map(([type, { code }]) => ({ value: 1, labels: { type, reason: code } })),
  );
  metrics.polledGauge(
    {
      name: "reports_awaiting_worker",
      help: "Queued reports that their last worker requeued, by cause. Counted for the whole service, so every worker shows the same number.",
      labels: ["type", "cause"],
    },
    async () =>
      (await readings.awaiting()).map(({ type, because, count }) => ({
        value: count,
        labels: { type, cause: because },
      })),
  );
}
