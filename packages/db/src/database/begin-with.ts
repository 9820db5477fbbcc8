import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { PreparedStatement } from "./prepare-statement.ts";

/** Prevents plans that read a whole table. Postgres makes such a plan while the table is almost empty, and keeps it after the table has grown. */
export const disableScansSql = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** Makes every transaction run the statement `begin` first. The driver sends it in one packet with the transaction's next statement. */
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
