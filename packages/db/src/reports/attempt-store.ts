import type { ReportStore } from "@reports/core/report";
import { createDatabase, type Database, type DatabaseOptions } from "../database/database.ts";
import type { ChangeBatches } from "./change-batches.ts";
import { createReportStore } from "./report-store.ts";

export type AttemptStore = Pick<
  ReportStore,
  "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
>;

/**
 * Separate connections for attempts' writes, without the trigger's notifications, and without full scans: a statement prepared on a nearly
 * empty table would keep scanning it, checks of foreign keys included.
 */
export function createAttemptDatabase(options: Pick<DatabaseOptions, "url" | "max" | "queueSchema">): Database {
  return createDatabase({
    ...options,
    settings: { "reports.changes_told": "in batches", enable_seqscan: "off", enable_bitmapscan: "off" },
  });
}

/**
 * The reports as attempts write them. Their transactions do not notify, because commits with notifications wait for all others of the
 * cluster; changes are announced in batches. `attempts` (createAttemptDatabase) is separate, so that leases are renewed however slow other
 * statements are.
 */
export function createAttemptStore(
  attempts: Database,
  {
    actor,
    changes,
  }: {
    /** In events of attempts: `worker:<id>`. */
    readonly actor: string;
    readonly changes: Pick<ChangeBatches, "add">;
  },
): AttemptStore {
  const store = createReportStore(attempts, { actor });
  /** After a failure too, because its transaction may have happened. */
  const notifying = async <T>(id: string, change: "end" | "step", work: Promise<T>): Promise<T> =>
    work.finally(() => changes.add(id, change));
  return {
    claim: async (id, terms) => notifying(id, "step", store.claim(id, terms)),
    heartbeat: async (id, attempt, beat) => {
      const written = store.heartbeat(id, attempt, beat);
      return beat.progress === undefined ? written : notifying(id, "step", written);
    },
    complete: async (id, attempt, outcome) => notifying(id, "end", store.complete(id, attempt, outcome)),
    fail: async (id, attempt, failure) => notifying(id, "end", store.fail(id, attempt, failure)),
    requeue: async (id, attempt, retry) => notifying(id, "step", store.requeue(id, attempt, retry)),
    findKeptRows: store.findKeptRows,
    isServedElsewhere: store.isServedElsewhere,
  };
}
