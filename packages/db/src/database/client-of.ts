import { DrizzleQueryError } from "drizzle-orm";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** Returns a pool's or transaction's client. drizzle names only the pool's: docs/decisions/0081-private-doors.md. */
export function clientOf(queries: Queries): Sql {
  return (queries._.session as unknown as PostgresJsSession<Sql, never, never>).client;
}

/** Awaits rows of the driver's client. An error names the statement, as drizzle's do, without its values. */
export async function namingStatement<Rows>(text: string, rows: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await rows;
  } catch (error) {
    throw new DrizzleQueryError(text, [], error as Error);
  }
}
