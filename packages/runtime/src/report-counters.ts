import { combineLabels, type Metrics } from "./metrics.ts";

export interface CountedReport {
  readonly reportType: string;
  readonly options: { readonly format: string };
}

const terminalOutcomes = ["SUCCEEDED", "FAILED", "CANCELLED"] as const;

/** Counts each report once when it starts and once when it ends, in the process that writes the change to the database. */
export interface ReportCounters {
  created(report: CountedReport): void;
  finished(report: CountedReport, outcome: (typeof terminalOutcomes)[number]): void;
}

/** Registers the counters of started and of ended reports. The API and all workers count, so totals are sums over all processes. */
export function createReportCounters(
  metrics: Metrics,
  kinds: { readonly type: readonly string[]; readonly format: readonly string[] },
): ReportCounters {
  const created = metrics.counter({
    name: "reports_created_total",
    help: "Reports and additional files that were started.",
    labels: ["type", "format"],
    series: combineLabels(kinds),
  });
  const finished = metrics.counter({
    name: "reports_finished_total",
    help: "Reports and additional files that have ended, by their final state.",
    labels: ["type", "format", "outcome"],
    series: combineLabels({ ...kinds, outcome: terminalOutcomes }),
  });
  const labelsOf = ({ reportType, options }: CountedReport) => ({ type: reportType, format: options.format });
  return {
    created: (report) => created.inc(labelsOf(report)),
    finished: (report, outcome) => finished.inc({ ...labelsOf(report), outcome }),
  };
}
