import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { PreparedStatement } from "./prepare-statement.ts";

/**
 * Transaction settings against full scans: a statement prepared on a nearly empty table would keep scanning it. Checks of foreign keys are prepared
 * too, per session.
 */
export const withoutScans = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Returns the database with transactions that begin with a statement, sent in one packet with the work's first. */
export function beginWith(database: Database, begin: PreparedStatement): Database {
  return {
    ...database,
    transaction: (work, hasHappened) =>
      database.transaction(async (queries) => {
        const [, result] = await Promise.all([begin(queries, {}), work(queries)]);
        return result;
      }, hasHappened),
  };
}
