import type { RequeuedReportCount } from "@reports/core/report";
import type { Metrics } from "@reports/runtime";

export interface ReportTypeMetricSources {
  reasons(): ReadonlyMap<string, string>;
  awaiting(): Promise<readonly RequeuedReportCount[]>;
}

export function registerReportTypeMetrics(metrics: Metrics, readings: ReportTypeMetricSources): void {
  metrics.polledGauge(
    {
      name: "report_type_unusable",
      help: "1 if the data source of this report type does not fit its definition or does not respond, as this worker sees it; its reports wait.",
      labels: ["type", "reason"],
    },
    () => [...readings.reasons()].map(([type, reason]) => ({ value: 1, labels: { type, reason } })),
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
