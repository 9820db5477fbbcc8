import { removalReasons } from "@reports/core/report";
import { createCachedRead, type Metrics, type MetricSample } from "@reports/runtime";

type FileCount<Label extends string> = { readonly files: number } & Readonly<Record<Label, string>>;

/** Files that the reconcilers of all workers, not only of this one, have found and handled. */
export interface ReconcilerCounts {
  readonly listed: readonly FileCount<"reason">[];
  readonly overdueMs: number;
  readonly mismatches: readonly FileCount<"kind">[];
  readonly refused: number;
  readonly lately: readonly FileCount<"action">[];
}

const differenceKinds = ["no-record", "no-object", "unknown-report"] as const;
const fileActions = ["scheduled", "kept", "removed", "expired", "undone"] as const;

/** Registers gauges that read the database, so that they cover all workers and the command `reconcile`. */
export function registerReconcilerMetrics(metrics: Metrics, read: () => Promise<ReconcilerCounts>): void {
  const reading = createCachedRead(read, { okMs: 1_000, failureMs: 1_000 });
  metrics.polledGauge(
    {
      name: "reports_file_mismatches",
      help: "Differences between files and records that the last comparison of all files found, by kind.",
      labels: ["kind"],
    },
    async () => observeFilesBy("kind", differenceKinds, (await reading()).mismatches),
  );
  metrics.polledGauge(
    {
      name: "reports_file_mismatches_refused",
      help: "Differences of the last comparison of all files that the reconciler refused to repair because there were too many.",
    },
    async () => [{ value: (await reading()).refused }],
  );
  metrics.polledGauge(
    { name: "reports_file_removals", help: "Files scheduled for removal, by reason.", labels: ["reason"] },
    async () => observeFilesBy("reason", removalReasons, (await reading()).listed),
  );
  metrics.polledGauge(
    {
      name: "reports_file_removals_overdue_seconds",
      help: "Seconds for which the oldest removal has been overdue; 0 when none is.",
    },
    async () => [{ value: (await reading()).overdueMs / 1000 }],
  );
  metrics.polledGauge(
    {
      name: "reports_reconciler_files",
      help: "Removals by the reconciler within 30 days, by state: scheduled, kept, removed, given up or undone.",
      labels: ["action"],
    },
    async () => observeFilesBy("action", fileActions, (await reading()).lately),
  );
}

function observeFilesBy<Label extends string>(
  label: Label,
  values: readonly string[],
  found: readonly FileCount<Label>[],
): MetricSample<Label>[] {
  return values.map((value) => ({
    value: found.find((one) => one[label] === value)?.files ?? 0,
    labels: { [label]: value } as Record<Label, string>,
  }));
}
