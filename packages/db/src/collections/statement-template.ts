import { is, Placeholder, sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { sqlClientOf } from "../database/sql-client-of.ts";
import type { Queries } from "../database/queries.ts";

export interface StatementTemplate<Query> {
  readonly text: string;
  toFilterValues(query: Query): unknown[];
}

export interface TemplateBuilder<Query> {
  parameter(read: (query: Query) => string): SQL;
  build(statement: SQL): StatementTemplate<Query>;
}

const dialect = new PgDialect();

export function createTemplateBuilder<Query>(): TemplateBuilder<Query> {
  const reads: ((query: Query) => string)[] = [];
  return {
    parameter: (read) => sql`${sql.placeholder(String(reads.push(read) - 1))}`,
    build(statement) {
      const { sql: text, params } = dialect.sqlToQuery(statement);
      const values = params.map((param) => {
        if (!is(param, Placeholder)) return () => param;
        return reads[Number((param as Placeholder).name)]!;
      });
      return { text, toFilterValues: (query) => values.map((value) => value(query)) };
    },
  };
}

/** `simple` is an option of the driver that its types lack. It selects the simple protocol, which cannot prepare statements. */
interface UnsafeOptions {
  readonly prepare: boolean;
  readonly simple: boolean;
}

/**
 * Runs a statement and returns the driver's rows. A prepared statement takes one round trip, and Postgres parses it once per connection. An
 * unprepared one takes two, because the driver first asks Postgres for the parameter types. After a migration that changes result columns, the driver
 * prepares it again.
 */
export async function runStatementTemplate<Query>(
  queries: Queries,
  { text, toFilterValues }: StatementTemplate<Query>,
  query: Query,
  { prepared }: { readonly prepared: boolean },
): Promise<readonly (readonly unknown[])[]> {
  const values = toFilterValues(query) as string[];
  const options: UnsafeOptions = { prepare: prepared, simple: false };
  return sqlClientOf(queries).unsafe<unknown[][]>(text, values, options).values();
}
