import {
  mismatchedProperties,
  type FileMismatch,
  type LaneLoad,
  type ReconcileRound,
  type RescueOutcome,
  type RetentionOutcome,
  type VerifyFilesOutcome,
} from "@reports/core/report";
import { reportLanes, storeStates, type StoreState } from "@reports/core/base";
import { combineLabels, type Metrics, type ReportCounters } from "@reports/runtime";
import type { PeriodicRoundResult } from "./periodic-work.ts";
import { registerReconcilerMetrics, type ReconcilerCounts } from "./reconciler-metrics.ts";

export const maintenanceWorkNames = [
  "rescue",
  "schedules",
  "drain",
  "retention",
  "reconciliation",
  "suspicious-files",
  "file-verification",
] as const;
export type MaintenanceWorkName = (typeof maintenanceWorkNames)[number];

export interface MaintenanceMetrics {
  observeRescue(outcome: RescueOutcome): void;
  observeRetention(outcome: RetentionOutcome): void;
  observeReconciliation(round: ReconcileRound): void;
  /** Counts a file that differed from its record at the first read. The file is then read a second time. */
  observeMismatch(mismatch: FileMismatch): void;
  /** Counts a file that differed from its record at the second read too, so it counts as damaged. */
  observeDamage(mismatch: FileMismatch): void;
  observeVerification(outcome: VerifyFilesOutcome): void;
  observeRound(work: MaintenanceWorkName, end: PeriodicRoundResult): void;
}

export interface MaintenanceMetricSources {
  heartbeatAgeMs(): number | null;
  lanes(): Promise<readonly LaneLoad[]>;
  oldestSnapshotMs(): Promise<number>;
  storeState(): StoreState;
  reconciler(): Promise<ReconcilerCounts>;
}

export function createMaintenanceMetrics(
  metrics: Metrics,
  counters: Pick<ReportCounters, "finished">,
  readings: MaintenanceMetricSources,
): MaintenanceMetrics {
  const rescued = metrics.counter({
    name: "reports_rescued_total",
    help: "Reports recovered from dead workers, by outcome; jobless ones had only lost their job.",
    labels: ["result"],
    series: combineLabels({ result: ["requeued", "failed", "jobless"] }),
  });
  const unlocked = metrics.counter({
    name: "reports_queue_pools_unlocked_total",
    help: "Dead worker pools whose orphaned jobs were unlocked.",
  });
  const retired = metrics.counter({
    name: "reports_retired_total",
    help: "Files and records removed because their retention was over.",
    labels: ["what"],
    series: combineLabels({ what: ["file", "removed-file", "record"] }),
  });
  const repairs = metrics.counter({
    name: "reports_file_mismatches_mended_total",
    help: "Actions of the reconciler: orphaned files scheduled for removal and removed, records expired because their file was missing, unfinished uploads aborted.",
    labels: ["what"],
    series: combineLabels({ what: ["scheduled", "orphan", "missing", "upload"] }),
  });
  const mismatches = metrics.counter({
    name: "reports_file_mismatches_seen_total",
    help: "Stored files whose first read differed from what was published, by what differed: size, digest or version.",
    labels: ["property"],
    series: combineLabels({ property: mismatchedProperties }),
  });
  const damaged = metrics.counter({
    name: "reports_files_damaged_total",
    help: "Reports expired because a second read confirmed that their file is damaged.",
    labels: ["property"],
    series: combineLabels({ property: mismatchedProperties }),
  });
  const verified = metrics.counter({
    name: "reports_files_verified_total",
    help: "Stored files whose size or digest was compared with what was published.",
    labels: ["property"],
    series: combineLabels({ property: ["size", "digest"] }),
  });
  const unreadable = metrics.counter({
    name: "reports_files_unreadable_total",
    help: "Stored files that could not be read during verification.",
  });
  const failures = metrics.counter({
    name: "reports_maintenance_failures_total",
    help: "Failed rounds of periodic work.",
    labels: ["work"],
    series: combineLabels({ work: maintenanceWorkNames }),
  });
  const latest = {
    succeeded: metrics.gauge({
      name: "reports_maintenance_last_success_timestamp_seconds",
      help: "End of this worker's last successful round of periodic work, in Unix time; 0 before the first one.",
      labels: ["work"],
    }),
    failed: metrics.gauge({
      name: "reports_maintenance_last_failure_timestamp_seconds",
      help: "End of this worker's last failed round of periodic work, in Unix time; 0 before the first one.",
      labels: ["work"],
    }),
  } satisfies Record<PeriodicRoundResult, unknown>;
  for (const work of maintenanceWorkNames) for (const gauge of Object.values(latest)) gauge.set({ work }, 0);
  metrics.polledGauge(
    {
      name: "reports_worker_heartbeat_age_seconds",
      help: "Seconds since this worker's last heartbeat; nothing before the first one.",
    },
    () => {
      const ageMs = readings.heartbeatAgeMs();
      return ageMs === null ? [] : [{ value: ageMs / 1000 }];
    },
  );
  metrics.polledGauge(
    {
      name: "reports_store_state",
      help: "1 for the current state of the file store, 0 for the others.",
      labels: ["state"],
    },
    () => storeStates.map((state) => ({ value: state === readings.storeState() ? 1 : 0, labels: { state } })),
  );
  metrics.polledGauge(
    { name: "report_queue_jobs", help: "Jobs by lane and state, counted up to 2,000.", labels: ["lane", "state"] },
    async () => {
      const states = await readings.lanes();
      return reportLanes.flatMap((lane) => {
        const state = states.find((candidate) => candidate.lane === lane);
        return [
          { value: state?.waiting ?? 0, labels: { lane, state: "waiting" } },
          { value: state?.running ?? 0, labels: { lane, state: "running" } },
        ];
      });
    },
  );
  metrics.polledGauge(
    {
      name: "report_queue_oldest_wait_seconds",
      help: "Seconds since the oldest waiting job became runnable.",
      labels: ["lane"],
    },
    async () => {
      const states = await readings.lanes();
      return reportLanes.map((lane) => ({
        value: (states.find((candidate) => candidate.lane === lane)?.oldestWaitMs ?? 0) / 1000,
        labels: { lane },
      }));
    },
  );
  metrics.polledGauge(
    {
      name: "reports_postgres_oldest_snapshot_seconds",
      help: "Age of the oldest snapshot, which holds back vacuum, in seconds.",
    },
    async () => [{ value: (await readings.oldestSnapshotMs()) / 1000 }],
  );
  registerReconcilerMetrics(metrics, readings.reconciler);
  return {
    observeRound(work, end) {
      if (end === "failed") failures.inc({ work });
      latest[end].set({ work }, Date.now() / 1000);
    },
    observeRescue({ requeued, failed, jobless, unlockedPools }) {
      rescued.inc({ result: "requeued" }, requeued.length);
      rescued.inc({ result: "failed" }, failed.length);
      for (const report of failed) counters.finished(report, "FAILED");
      rescued.inc({ result: "jobless" }, jobless.length);
      unlocked.inc(unlockedPools);
    },
    observeRetention({ expired, removed, purged }) {
      retired.inc({ what: "file" }, expired);
      retired.inc({ what: "removed-file" }, removed);
      retired.inc({ what: "record" }, purged);
    },
    observeReconciliation(round) {
      if (round.kind === "sample") {
        verified.inc({ property: "size" }, round.checked);
        return;
      }
      mismatches.inc({ property: "size" }, round.wrongSizes);
      verified.inc({ property: "size" }, round.sizes);
      repairs.inc({ what: "scheduled" }, round.scheduled);
      repairs.inc({ what: "orphan" }, round.removed);
      repairs.inc({ what: "missing" }, round.expired);
      repairs.inc({ what: "upload" }, round.abortedUploads);
    },
    observeMismatch: ({ property }) => mismatches.inc({ property }),
    observeDamage: ({ property }) => damaged.inc({ property }),
    observeVerification(outcome) {
      verified.inc({ property: "digest" }, outcome.digests);
      unreadable.inc(outcome.unreadable);
    },
  };
}
