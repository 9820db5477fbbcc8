import { DrizzleQueryError } from "drizzle-orm";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** Returns the postgres.js client of a pool or a transaction. drizzle documents only the pool's: docs/decisions/0081-private-doors.md. */
export function sqlClientOf(queries: Queries): Sql {
  return (queries._.session as unknown as PostgresJsSession<Sql, never, never>).client;
}

/** Awaits the rows of a statement that was sent without drizzle. An error gets the text of the statement but not its values, which may be secret. */
export async function addStatementTextToErrors<Rows>(text: string, rows: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await rows;
  } catch (error) {
    throw new DrizzleQueryError(text, [], error as Error);
  }
}
