import type { ReportStore } from "@reports/core/report";
import { createDatabase, type Database, type DatabaseOptions } from "../database/database.ts";
import type { ChangeBatches } from "./change-batches.ts";
import { createReportStore } from "./report-store.ts";

/** What attempts write. */
export type AttemptStore = Pick<
  ReportStore,
  "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
>;

/**
 * Connections of their own for what attempts write. The trigger tells nobody of what they change. And a statement that was prepared while a
 * table is nearly empty would read all of it for ever; the checks of foreign keys are such statements, too, one a session.
 */
export function createAttemptDatabase(options: Pick<DatabaseOptions, "url" | "max" | "queueSchema">): Database {
  return createDatabase({
    ...options,
    settings: { "reports.changes_told": "in batches", enable_seqscan: "off", enable_bitmapscan: "off" },
  });
}

/**
 * The reports in Postgres as a worker's attempts write them. Their transactions notify nobody, so that their commits need not wait for every
 * other notifying one of the cluster; what they may have changed is told in batches. `attempts` is theirs alone (createAttemptDatabase):
 * leases are renewed however slow the rest of the worker's statements are.
 */
export function createAttemptStore(
  attempts: Database,
  {
    actor,
    changes,
  }: {
    /** Stands in the events of attempts: `worker:<id>`. */
    readonly actor: string;
    readonly changes: Pick<ChangeBatches, "tell">;
  },
): AttemptStore {
  const store = createReportStore(attempts, { actor });
  /** After a failure, too: whether its transaction took place may not be known. */
  const telling = async <T>(id: string, change: "end" | "step", work: Promise<T>): Promise<T> =>
    work.finally(() => changes.tell(id, change));
  return {
    claim: async (id, terms) => telling(id, "step", store.claim(id, terms)),
    heartbeat: async (id, attempt, beat) => {
      const beating = store.heartbeat(id, attempt, beat);
      return beat.progress === undefined ? beating : telling(id, "step", beating);
    },
    complete: async (id, attempt, outcome) => telling(id, "end", store.complete(id, attempt, outcome)),
    fail: async (id, attempt, failure) => telling(id, "end", store.fail(id, attempt, failure)),
    requeue: async (id, attempt, retry) => telling(id, "step", store.requeue(id, attempt, retry)),
    findKeptRows: store.findKeptRows,
    isServedElsewhere: store.isServedElsewhere,
  };
}
