import { is, Placeholder, sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { clientOf } from "../database/client-of.ts";
import type { Queries } from "../database/queries.ts";

/** A statement whose text is written once for all queries of the same shape. `valuesOf` returns the values of its parameters. */
export interface StatementTemplate<Query> {
  readonly text: string;
  valuesOf(query: Query): unknown[];
}

/** Builds a StatementTemplate. `blank` adds a parameter whose value is read from each query; `keep` writes the text. */
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
      return { text, valuesOf: (query) => values.map((value) => value(query)) };
    },
  };
}

/** An option that the driver's types lack. `simple` selects the simple protocol, which cannot prepare statements. */
interface UnsafeOptions {
  readonly prepare: boolean;
  readonly simple: boolean;
}

/**
 * Runs a statement and returns the driver's rows. A prepared statement is parsed once per connection and takes one round trip. An
 * unprepared statement with values takes two, because the driver asks for their types. If a migration has changed the columns of the
 * result, the driver prepares the statement again.
 */
export async function runTemplate<Query>(
  queries: Queries,
  { text, valuesOf }: StatementTemplate<Query>,
  query: Query,
  { prepared }: { readonly prepared: boolean },
): Promise<readonly (readonly unknown[])[]> {
  const values = valuesOf(query) as string[];
  const options: UnsafeOptions = { prepare: prepared, simple: false };
  return clientOf(queries).unsafe<unknown[][]>(text, values, options).values();
}
