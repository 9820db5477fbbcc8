import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import type { PreparedStatement } from "./prepare-statement.ts";

/**
 * Settings of a transaction, to be selected, that rule out that a statement which is prepared while a table is nearly empty reads all of it for ever;
 * the checks of foreign keys are such statements, too, one a session.
 */
export const withoutScans = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** The same database, whose transactions begin with a statement, in one packet with what their work sends first. */
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
