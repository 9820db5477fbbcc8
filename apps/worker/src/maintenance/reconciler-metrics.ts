import { removalReasons } from "@reports/core/report";
import type { Metrics, Sample } from "@reports/runtime";

/** Numbers of files that the reconciler has found and handled, on any worker. */
export interface ReconcilerReading {
  /** By reason of the removal. */
  readonly listed: readonly { readonly reason: string; readonly files: number }[];
  readonly overdueMs: number;
  readonly mismatches: readonly { readonly kind: string; readonly files: number }[];
  readonly refused: number;
  readonly lately: readonly { readonly action: string; readonly files: number }[];
}

const kinds = ["no-record", "no-object", "unknown-report"] as const;
const actions = ["scheduled", "kept", "removed", "expired", "undone"] as const;
/** One scrape reads several gauges of one reading. */
const freshMs = 1_000;

/** The gauges read the database, so that every worker and command counts. */
export function describeReconciler(metrics: Metrics, read: () => Promise<ReconcilerReading>): void {
  let latest: { readonly at: number; readonly reading: Promise<ReconcilerReading> } | undefined;
  const reading = async (): Promise<ReconcilerReading> => {
    const now = performance.now();
    if (latest === undefined || now - latest.at > freshMs) latest = { at: now, reading: read() };
    return latest.reading;
  };
  metrics.polledGauge(
    {
      name: "reports_file_mismatches",
      help: "Differences between files and records that the last comparison found, by kind.",
      labels: ["kind"],
    },
    async () => {
      const { mismatches } = await reading();
      return kinds.map((kind) =>
        sample(
          { kind },
          mismatches.find((found) => found.kind === kind),
        ),
      );
    },
  );
  metrics.polledGauge(
    {
      name: "reports_file_mismatches_refused",
      help: "Differences of the last comparison that the reconciler refused to repair because there were too many.",
    },
    async () => [{ value: (await reading()).refused }],
  );
  metrics.polledGauge(
    { name: "reports_file_removals", help: "Files scheduled for removal, by reason.", labels: ["reason"] },
    async () => {
      const { listed } = await reading();
      return removalReasons.map((reason) =>
        sample(
          { reason },
          listed.find((found) => found.reason === reason),
        ),
      );
    },
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
      help: "Removals by the reconciler within 30 days, by what became of them: scheduled, kept, removed, given up or undone.",
      labels: ["action"],
    },
    async () => {
      const { lately } = await reading();
      return actions.map((action) =>
        sample(
          { action },
          lately.find((found) => found.action === action),
        ),
      );
    },
  );
}

function sample<Label extends string>(
  labels: Record<Label, string>,
  found: { readonly files: number } | undefined,
): Sample<Label> {
  return { value: found?.files ?? 0, labels };
}
