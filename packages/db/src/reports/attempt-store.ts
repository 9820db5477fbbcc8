import type { ReportStore } from "@reports/core";
import { sql } from "drizzle-orm";
import { beginWith, withoutScans } from "../database/begin-with.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { ChangeBatches } from "./change-batches.ts";
import { createReportStore } from "./report-store.ts";

/** What attempts write. */
export type AttemptStore = Pick<ReportStore, "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows">;

// The trigger looks at the first: until the transaction's end it tells nobody of what changes.
const beginAttempt = prepareStatement(
  "begin_attempt",
  sql`select set_config('reports.changes_told', 'in batches', true), ${withoutScans}`,
);

/**
 * The reports in Postgres as a worker's attempts write them. Transactions notify nobody, so that their commits need not wait for every other
 * notifying one of the cluster; what they may have changed is told in batches. Progress is told by its own statement: it is rare.
 */
export function createAttemptStore(
  database: Database,
  {
    actor,
    changes,
  }: {
    /** Stands in the events of attempts: `worker:<id>`. */
    readonly actor: string;
    readonly changes: Pick<ChangeBatches, "tell">;
  },
): AttemptStore {
  const store = createReportStore(beginWith(database, beginAttempt), { actor });
  /** After a failure, too: whether its transaction took place may not be known. */
  const telling = async <T>(id: string, change: "end" | "step", work: Promise<T>): Promise<T> =>
    work.finally(() => changes.tell(id, change));
  return {
    claim: async (id, terms) => telling(id, "step", store.claim(id, terms)),
    heartbeat: store.heartbeat,
    complete: async (id, attempt, outcome) => telling(id, "end", store.complete(id, attempt, outcome)),
    fail: async (id, attempt, failure) => telling(id, "end", store.fail(id, attempt, failure)),
    requeue: async (id, attempt, retry) => telling(id, "step", store.requeue(id, attempt, retry)),
    findKeptRows: store.findKeptRows,
  };
}
