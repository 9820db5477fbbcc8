import {
  planReconciliation,
  runReconcileRound,
  type PlannedReconcileStep,
  type ReconcileOutcome,
  type ReconcileRound,
  type ReconcileRoundLimits,
} from "@reports/core/report";
import type { FileStore, StoreIdentity } from "@reports/core/base";
import { createDatabase, createReconciliationStore, createStoreIdRepository, type Database } from "@reports/db";
import { systemClock } from "@reports/runtime";
import { createFileStore, createStoreIdentity, type FileStoreOptions } from "@reports/storage";

export interface ReconcilerSettings {
  readonly reconcileEveryMinutes: number;
  readonly reconcileAllHours: number;
  readonly reconcileMinAgeHours: number;
  readonly recordRetentionDays: number;
  readonly trashDays: number;
}

export interface Reconciler {
  run(signal: AbortSignal): Promise<ReconcileRound>;
  plan(onStep: (step: PlannedReconcileStep, key: string) => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  undo(): Promise<number>;
}

const hourMs = 3_600_000;
/**
 * Time limit of a database call, of a read of the file store, and of the check of its store ID. It is longer than elsewhere, because rounds run in a
 * process of low priority, and nobody waits for them.
 */
const callTimeoutMs = 20_000;
const day = 24 * hourMs;

export function composeReconciler(
  deps: {
    readonly database: Database;
    readonly files: FileStore;
    readonly identity: Pick<StoreIdentity, "assert">;
    readonly onRemovalError: (error: unknown) => void;
  },
  settings: ReconcilerSettings,
): Reconciler {
  const index = createReconciliationStore(deps.database);
  const everyMs = settings.reconcileEveryMinutes * 60_000;
  const limits: ReconcileRoundLimits = {
    everyMs,
    compareAllMs: settings.reconcileAllHours * hourMs,
    minAgeMs: settings.reconcileMinAgeHours * hourMs,
    confirmAfterMs: everyMs / 2,
    trashMs: settings.trashDays * day,
    recordRetentionMs: settings.recordRetentionDays * day,
    massCount: 20,
    massShare: 0.05,
    maxShare: 0.5,
  };
  const parts = { ...deps, index, now: systemClock };
  return {
    run: async (signal) => runReconcileRound(parts, limits, signal),
    plan: async (onStep, signal) => planReconciliation(parts, limits, onStep, signal),
    undo: async () => index.undo(),
  };
}

export async function openReconciler(
  {
    databaseUrl,
    store,
    settings,
  }: { readonly databaseUrl: string; readonly store: FileStoreOptions; readonly settings: ReconcilerSettings },
  onRemovalError: (error: unknown) => void,
): Promise<Reconciler & { close(): Promise<void> }> {
  const database = createDatabase({
    url: databaseUrl,
    max: 2,
    applicationName: "reports-reconcile",
    connectTimeoutMs: callTimeoutMs,
    deadlineMs: callTimeoutMs,
  });
  const files = await createFileStore(
    "directory" in store ? { ...store, readTimeoutMs: callTimeoutMs } : { ...store, connectTimeoutMs: callTimeoutMs },
  );
  const silent = () => undefined;
  // This process logs nothing, because it passes its error to the worker or the operator.
  const logger = { info: silent, warn: silent, error: silent };
  const record = createStoreIdRepository(database);
  const identity = createStoreIdentity({ store: files, record, logger, checkTimeoutMs: callTimeoutMs });
  return {
    ...composeReconciler({ database, files, identity, onRemovalError }, settings),
    close: async () => database.close(),
  };
}
