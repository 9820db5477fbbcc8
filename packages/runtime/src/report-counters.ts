import { everySeries, type Metrics } from "./metrics.ts";

export interface CountedReport {
  readonly reportType: string;
  readonly options: { readonly format: string };
}

const outcomes = ["SUCCEEDED", "FAILED", "CANCELLED"] as const;

/** Counts reports, each once, in the process that wrote its begin or end. */
export interface ReportCounters {
  created(report: CountedReport): void;
  finished(report: CountedReport, outcome: (typeof outcomes)[number]): void;
}

/** The API, schedules and any worker count: a sum is over all of them. */
export function createReportCounters(
  metrics: Metrics,
  kinds: { readonly type: readonly string[]; readonly format: readonly string[] },
): ReportCounters {
  const created = metrics.counter({
    name: "reports_created_total",
    help: "Reports and additional files that were started.",
    labels: ["type", "format"],
    series: everySeries(kinds),
  });
  const finished = metrics.counter({
    name: "reports_finished_total",
    help: "Reports and additional files that have ended, by their final state.",
    labels: ["type", "format", "outcome"],
    series: everySeries({ ...kinds, outcome: outcomes }),
  });
  const labelsOf = ({ reportType, options }: CountedReport) => ({ type: reportType, format: options.format });
  return {
    created: (report) => created.inc(labelsOf(report)),
    finished: (report, outcome) => finished.inc({ ...labelsOf(report), outcome }),
  };
}
