import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { PreparedStatement } from "./prepare-statement.ts";

/** Against full scans: a statement prepared on an empty table would keep scanning, as would foreign keys' checks. */
export const disableScans = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

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
