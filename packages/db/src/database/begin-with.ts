import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { PreparedStatement } from "./prepare-statement.ts";

/** Turns off full scans. A statement that Postgres prepared on an empty table, or a check of a foreign key, would scan the grown table. */
export const disableScans = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Returns the database with transactions that run the statement `begin` first. It is sent in one packet with the first statement of the work. */
export function prependToTransactions(database: Database, begin: PreparedStatement): Database {
  return {
    ...database,
    transaction: (work, hasHappened) =>
      database.transaction(async (queries) => {
        const [, result] = await Promise.all([begin(queries, {}), work(queries)]);
        return result;
      }, hasHappened),
  };
}
