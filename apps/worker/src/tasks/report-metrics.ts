import { requeueCauses } from "@reports/core/base";
import { reportFormats, type ReportTypeDefinition, type RunOutcome } from "@reports/core/report";
import { createReportCounters, combineLabels, type Metrics, type ReportCounters } from "@reports/runtime";

export interface ReportMetrics {
  observe(outcome: RunOutcome, durationMs: number): void;
  readonly fenced: { inc(): void };
  readonly counters: ReportCounters;
}

const outcomeKinds = ["succeeded", "failed", "requeued"] as const satisfies readonly RunOutcome["kind"][];

export function createReportMetrics(
  metrics: Metrics,
  definitions: readonly Pick<ReportTypeDefinition, "type">[],
): ReportMetrics {
  const types = definitions.map(({ type }) => type);
  const kinds = { type: types, format: reportFormats };
  const attempts = metrics.counter({
    name: "report_attempts_total",
    help: "Attempts at reports, by outcome.",
    labels: ["type", "format", "outcome"],
    series: combineLabels({ ...kinds, outcome: outcomeKinds }),
  });
  const runSeconds = metrics.histogram({
    name: "report_run_seconds",
    help: "Run time of attempts in seconds.",
    labels: ["type", "format", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  });
  const waitSeconds = metrics.histogram({
    name: "report_wait_seconds",
    help: "Seconds from the creation of a report to its first claim.",
    labels: ["type", "format"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  });
  const rows = metrics.counter({
    name: "report_rows_total",
    help: "Rows in finished files.",
    labels: ["type", "format"],
    series: combineLabels(kinds),
  });
  const bytes = metrics.counter({
    name: "report_bytes_total",
    help: "Bytes of finished files.",
    labels: ["type", "format"],
    series: combineLabels(kinds),
  });
  const fenced = metrics.counter({
    name: "report_attempts_fenced_total",
    help: "Attempts that were fenced out because they no longer owned their report.",
  });
  const requeued = metrics.counter({
    name: "reports_handed_back_total",
    help: "Requeues of reports by this worker because it does not serve them, by cause.",
    labels: ["type", "cause"],
    series: combineLabels({ type: types, cause: requeueCauses }),
  });
  const counters = createReportCounters(metrics, kinds);
  return {
    fenced,
    counters,
    observe(outcome, durationMs) {
      if (outcome.kind === "closed" || outcome.kind === "held") return;
      if (outcome.kind === "handed-back") {
        requeued.inc({ type: outcome.report.reportType, cause: outcome.because });
        return;
      }
      const { report } = outcome;
      const labels = { type: report.reportType, format: report.options.format };
      attempts.inc({ ...labels, outcome: outcome.kind });
      runSeconds.observe({ ...labels, outcome: outcome.kind }, durationMs / 1000);
      if (report.attempt === 1 && report.startedAt !== null) {
        waitSeconds.observe(labels, (report.startedAt.getTime() - report.createdAt.getTime()) / 1000);
      }
      if (outcome.kind === "failed") counters.finished(report, "FAILED");
      if (outcome.kind !== "succeeded") return;
      counters.finished(report, "SUCCEEDED");
      rows.inc(labels, report.rowCount ?? 0);
      bytes.inc(labels, report.file?.sizeBytes ?? 0);
    },
  };
}
