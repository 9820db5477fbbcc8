import { randomUUID } from "node:crypto";
import {
  planReconciliation,
  reconcileFiles,
  runReconcileRound,
  applyRetention,
  type PlannedReconcileStep,
  type ReconcileDeps,
  type ReconcileLimits,
  type ReconcileRoundLimits,
  type Report,
} from "@reports/core/report";
import type { FileStore } from "@reports/core/base";
import { createDatabase, createReconciliationStore, createFileRemovals, createRetentionStore } from "@reports/db";
import { afterAll } from "vitest";
import { deleteAllRows } from "./delete-all-rows.ts";
import { writeTestPutFile } from "./local-file.ts";
import { startWorkerUnderTest } from "./worker-under-test.ts";

const day = 86_400_000;
const neverAborted = new AbortController().signal;

export const testReconcileLimits: ReconcileLimits = {
  minAgeMs: day,
  confirmAfterMs: 30 * 60_000,
  trashMs: 7 * day,
  recordRetentionMs: 90 * day,
  massCount: 20,
  massShare: 0.05,
  maxShare: 0.5,
};

const testRoundLimits: ReconcileRoundLimits = { ...testReconcileLimits, everyMs: 3_600_000, compareAllMs: day };

/** Opens retention and reconciliation with a separate database and store. To both, all files and reports are three days old. */
export async function openMaintenanceUnderTest() {
  // Retention and reconciliation change records of all owners, so the database contains none of other tests.
  const worker = await startWorkerUnderTest({ otherOwners: false });
  const database = createDatabase({ url: worker.databaseUrl, max: 2 });
  const index = createReconciliationStore(database);
  const left: unknown[] = [];
  const identity: ReconcileDeps["identity"] = { assert: async () => undefined };
  /** The clock is three days ahead, because some stores can't change the time of a file. */
  const now = () => new Date(Date.now() + 3 * day);
  const deps = { index, files: worker.files, identity, now, onRemovalError: (error: unknown) => void left.push(error) };
  const stored = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of worker.files.list("reports/")) keys.push(key);
    return keys.toSorted();
  };
  return {
    ...worker,
    database,
    index,
    left,
    stored,
    async succeeded(): Promise<Report> {
      const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
      await worker.run(id);
      await worker.sql`update reports set finished_at = finished_at - interval '3 days' where id = ${id}`;
      return worker.find(id);
    },
    retire: (change: { files?: Pick<FileStore, "remove">; identity?: ReconcileDeps["identity"] } = {}) => {
      const { files } = worker;
      const retention = createRetentionStore(database);
      const parts = { retention, removals: createFileRemovals(database), files, identity, ...change };
      return applyRetention(parts, { recordRetentionMs: 90 * day }, neverAborted, (error) => left.push(error));
    },
    reconcile: (limits: Partial<ReconcileLimits> = {}, change: Partial<ReconcileDeps> = {}) =>
      reconcileFiles({ ...deps, ...change }, { ...testReconcileLimits, ...limits }, neverAborted),
    round: ({ limits, ...change }: Partial<ReconcileDeps> & { limits?: Partial<ReconcileRoundLimits> } = {}) =>
      runReconcileRound({ ...deps, ...change }, { ...testRoundLimits, ...limits }, neverAborted),
    async plan(limits: Partial<ReconcileLimits> = {}) {
      const steps: string[] = [];
      const onStep = (step: PlannedReconcileStep, key: string): void => void steps.push(`${step} ${key}`);
      const outcome = await planReconciliation(deps, { ...testReconcileLimits, ...limits }, onStep, neverAborted);
      return { outcome, steps: steps.toSorted() };
    },
    async pass(time: string): Promise<void> {
      await worker.sql`update file_mismatches set first_seen_at = first_seen_at - ${time}::interval`;
      await worker.sql`update file_removals set due_at = due_at - ${time}::interval, noted_at = noted_at - ${time}::interval`;
    },
    async orphan(reportId: string = randomUUID(), files: Pick<FileStore, "put"> = worker.files): Promise<string> {
      const key = `reports/${reportId}/9-${randomUUID().slice(-12)}.csv`;
      await files.put({ ...(await writeTestPutFile("orphan")), key });
      return key;
    },
    /** Removes all records and files, which takes less time than to open another database and store. */
    async clear(): Promise<void> {
      await deleteAllRows(worker.sql, ["domains", "proxies", "reports", "report_queue_quick._private_jobs"]);
      await deleteAllRows(worker.sql, ["file_mismatches", "file_removals", "reconciler_log", "damaged_files"]);
      await deleteAllRows(worker.sql, ["maintenance_turns", "maintenance_positions"]);
      for (const key of await stored()) await worker.files.remove(key);
      left.length = 0;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await worker[Symbol.asyncDispose]();
    },
  };
}

export type MaintenanceUnderTest = Awaited<ReturnType<typeof openMaintenanceUnderTest>>;

/** Returns a function that opens maintenance for one test. All tests of the file use the same database and store, which are cleared between them. */
export function shareMaintenanceUnderTest(): () => Promise<MaintenanceUnderTest> {
  let shared: MaintenanceUnderTest | undefined;
  afterAll(async () => shared?.[Symbol.asyncDispose]());
  return async () => {
    await shared?.clear();
    shared ??= await openMaintenanceUnderTest();
    return shared;
  };
}
