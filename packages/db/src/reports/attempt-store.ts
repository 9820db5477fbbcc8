import type { ReportStore } from "@reports/core/report";
import { createDatabase, type Database, type DatabaseOptions } from "../database/database.ts";
import type { ChangeBatches } from "./change-batches.ts";
import { createReportStore } from "./report-store.ts";

export type AttemptStore = Pick<
  ReportStore,
  "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
>;

/** Opens connections for writes of attempts. The trigger sends no notifications there. Plans never scan tables, which may be nearly empty when planned. */
export function createAttemptDatabase(options: Pick<DatabaseOptions, "url" | "max" | "queueSchema">): Database {
  return createDatabase({
    ...options,
    settings: { "reports.changes_told": "in batches", enable_seqscan: "off", enable_bitmapscan: "off" },
  });
}

/**
 * Creates the report store of attempts. Their transactions send no notifications, because a commit with notifications waits for all other
 * such commits in the cluster. Instead, `changes` sends them in batches. `attempts` comes from createAttemptDatabase, so that slow
 * statements elsewhere do not delay the renewal of leases.
 */
export function createAttemptStore(
  attempts: Database,
  {
    actor,
    changes,
  }: {
    /** Actor of the events of attempts: `worker:<id>`. */
    readonly actor: string;
    readonly changes: Pick<ChangeBatches, "add">;
  },
): AttemptStore {
  const store = createReportStore(attempts, { actor });
  /** Notifies after failed work, too, because its transaction may have been committed. */
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
