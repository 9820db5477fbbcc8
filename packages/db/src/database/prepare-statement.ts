import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Queries } from "./queries.ts";

/** Runs a statement with values for its placeholders. */
export type PreparedStatement = (
  queries: Queries,
  values: Readonly<Record<string, unknown>>,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Prepares a statement of the hottest paths: its text is built once for all calls, parsed and planned once by each connection, and a call
 * is one round trip. (Others take two, because the driver asks for the types of their parameters first.)
 */
export function prepareStatement(name: string, statement: SQL): PreparedStatement {
  const query = new PgDialect().sqlToQuery(statement);
  return async (queries, values) => {
    const prepared = queries._.session.prepareQuery<{
      execute: readonly Readonly<Record<string, unknown>>[];
      all: never;
      values: never;
    }>(query, undefined, name, false);
    return prepared.execute(values);
  };
}
