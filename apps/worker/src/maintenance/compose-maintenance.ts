import { evaluateLoss, applyRetention, type WorkerRegistry } from "@reports/core/report";
import type { FileStore, StoreIdentity } from "@reports/core/base";
import {
  createFileRemovals,
  createLostAttemptRescuer,
  createRetentionStore,
  createPeriodicTaskLocks,
  readLaneLoads,
  readOldestDbSnapshotAgeMs,
  readReconcilerState,
  type Database,
} from "@reports/db";
import type { Logger } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";
import type { LaneSlotGate } from "../jobs/lane-slot-gate.ts";
import { getScheduleLeaseMs, type WorkerTimings } from "../clocks.ts";
import { composeFileVerification } from "./compose-file-verification.ts";
import { skipWorkInWrongStore } from "./skip-work-in-wrong-store.ts";
import type { MaintenanceMetrics, MaintenanceMetricSources } from "./maintenance-metrics.ts";
import { createPeriodicWork, type PeriodicWork } from "./periodic-work.ts";
import { createLeasedWork } from "./leased-work.ts";
import { createReconcileWork } from "./reconcile-work.ts";
import { createReconcilerProcess } from "./reconciler-process.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const day = 24 * hourMs;

export interface MaintenanceDeps {
  readonly config: WorkerConfig;
  readonly reconcilerArguments?: readonly string[] | undefined;
  readonly database: Database;
  readonly registry: WorkerRegistry;
  readonly files: FileStore;
  readonly identity: Pick<StoreIdentity, "assert">;
  readonly gate: LaneSlotGate;
  readonly isTakingJobs: () => boolean;
  readonly runSchedules: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: MaintenanceMetrics;
  readonly clocks: WorkerTimings;
}

export function createMaintenanceMetricSources(
  database: Database,
): Pick<MaintenanceMetricSources, "lanes" | "oldestSnapshotMs" | "reconciler"> {
  return {
    lanes: () => database.query((queries) => readLaneLoads(queries)),
    oldestSnapshotMs: () => database.query(readOldestDbSnapshotAgeMs),
    reconciler: () => database.query(readReconcilerState),
  };
}

/** Creates the periodic work of every worker. Rescue is not a job, because a killed worker could hold the lock of that job. */
export function composeMaintenance(deps: MaintenanceDeps): PeriodicWork {
  const { config, database, files, identity, logger, metrics, clocks } = deps;
  const { deadAfterMs } = clocks.life;
  const rescuer = createLostAttemptRescuer(database, { queueSchema: config.queueSchema });
  const retention = createRetentionStore(database);
  const removals = createFileRemovals(database);
  const leases = createPeriodicTaskLocks(database);
  const onRemovalError = (error: unknown): void =>
    logger.warn("a file could not be removed; a later round tries it again", { error });

  const rescue = async (): Promise<boolean> => {
    const outcome = await rescuer.rescue(evaluateLoss, { deadAfterMs, ...clocks.rescue });
    if (outcome === null) return false;
    metrics.observeRescue(outcome);
    const { requeued, failed, jobless, unlockedPools, unlockedJobs } = outcome;
    if (requeued.length + failed.length + jobless.length + unlockedPools + unlockedJobs > 0) {
      logger.warn("orphaned jobs of dead workers recovered", { ...outcome, failed: failed.map(({ id }) => id) });
    }
    return true;
  };

  const { forMs: drainMs, longRunMs, longWaitMs } = clocks.drain;
  const drain = async (): Promise<boolean> => {
    if (!config.lanes.includes("suspect") || config.lanes.length === 1) return false;
    // Drain leases limit how many workers drain at the same time, so a worker that may not drain takes none.
    if (!deps.isTakingJobs() || !deps.gate.mayDrain()) return false;
    const loads = await database.query((queries) => readLaneLoads(queries));
    const quarantine = loads.find(({ lane }) => lane === "suspect");
    if (quarantine === undefined || quarantine.waiting === 0) return true;
    if (deps.gate.oldestRunMs() > longRunMs && (quarantine.oldestWaitMs ?? 0) < longWaitMs) return true;
    // If there are several workers, at least one keeps serving the other lanes, even if many reports are quarantined.
    const { running } = await deps.registry.state(deadAfterMs);
    const most = Math.min(quarantine.waiting, Math.max(1, running - 1) - quarantine.running);
    for (let nth = 1; nth <= most; nth++) {
      const lease = await leases.take(`drain-${nth}`, drainMs);
      if (lease === null) continue;
      // The lease is released when a quarantined report begins, so that another worker can drain for the next one.
      deps.gate.drain(drainMs, () => void lease.release().catch(() => undefined));
      return true;
    }
    return true;
  };

  const retireOld = createLeasedWork({ leases, lease: "retention", everyMs: minuteMs }, async (signal) => {
    const limits = { recordRetentionMs: config.recordRetentionDays * day };
    const outcome = await applyRetention({ retention, removals, files, identity }, limits, signal, onRemovalError);
    const { failures, ...done } = outcome;
    metrics.observeRetention(outcome);
    if (done.expired + done.removed + done.purged > 0) logger.info("old files and records removed", done);
    await deps.registry.removeDead(hourMs);
    if (failures.length === 0) return;
    const steps = failures.map(({ step }) => step).join(", ");
    throw new Error(`Steps of retention could not be done to their end: ${steps}.`, { cause: failures[0]!.error });
  });

  const runSchedules = createLeasedWork(
    { leases, lease: "schedules", everyMs: getScheduleLeaseMs(clocks) },
    async (signal) => deps.runSchedules(signal),
  );

  const reconcile = createReconcileWork({
    mode: config.reconciler,
    everyMs: config.reconcileEveryMinutes * minuteMs,
    leases,
    reconciler: createReconcilerProcess(config, onRemovalError, deps.reconcilerArguments),
    logger,
    onRound: metrics.observeReconciliation,
  });

  const verification = composeFileVerification({
    database,
    leases,
    files,
    identity,
    logger,
    metrics,
    limits: {
      digestWithinMs: config.fileDigestDays * day,
      readBytesPerSecond: config.fileReadBytesPerSecond,
    },
  });

  const timers = (
    [
      { name: "rescue", period: clocks.rescue, work: rescue },
      { name: "schedules", period: clocks.schedules, work: runSchedules },
      { name: "drain", period: clocks.drain, work: drain },
      // Retention runs even in a wrong store: records expire anyway, and each batch of removals checks the store ID.
      { name: "retention", period: clocks.retention, work: retireOld },
      { name: "reconciliation", period: clocks.reconciliation, work: skipWorkInWrongStore(identity, reconcile) },
      { name: "suspicious-files", period: clocks.suspiciousFiles, work: verification.verifySuspiciousFiles },
      { name: "file-verification", period: clocks.fileVerification, work: verification.verify },
    ] as const
  ).map(({ name, period, work }) =>
    createPeriodicWork({ name, ...period, work, logger, onRound: (end) => metrics.observeRound(name, end) }),
  );
  return {
    start: () => timers.forEach((timer) => timer.start()),
    stop: async () => {
      await Promise.all(timers.map((timer) => timer.stop()));
    },
  };
}
