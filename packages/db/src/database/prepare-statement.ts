import { fillPlaceholders, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { sqlClientOf, addStatementTextToErrors } from "./sql-client-of.ts";
import type { Queries } from "./queries.ts";

export type PreparedStatement = (
  queries: Queries,
  values: Readonly<Record<string, unknown>>,
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Prepares a frequent statement. Postgres parses it once per connection, and a call takes one round trip instead of two. */
export function prepareStatement(statement: SQL): PreparedStatement {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement);
  return async (queries, values) =>
    addStatementTextToErrors(
      text,
      sqlClientOf(queries).unsafe(text, fillPlaceholders(params, values) as string[], { prepare: true }),
    );
}
