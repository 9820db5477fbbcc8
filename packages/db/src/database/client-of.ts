import { DrizzleQueryError } from "drizzle-orm";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/**
 * Returns the driver's client of a connection pool or a transaction. drizzle names it in public for a pool alone:
 * docs/decisions/0081-private-doors.md.
 */
export function clientOf(queries: Queries): Sql {
  return (queries._.session as unknown as PostgresJsSession<Sql, never, never>).client;
}

/** Waits for rows of the driver's client. A failure names the statement, as drizzle's own failures do, and none of its values. */
export async function namingStatement<Rows>(text: string, rows: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await rows;
  } catch (error) {
    throw new DrizzleQueryError(text, [], error as Error);
  }
}
