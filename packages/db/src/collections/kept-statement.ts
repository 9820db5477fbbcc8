import { is, Placeholder, sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { clientOf } from "../database/client-of.ts";
import type { Queries } from "../database/queries.ts";

/** A statement whose text is written once, for all queries of one shape: only their values differ. */
export interface KeptStatement<Query> {
  readonly text: string;
  valuesOf(query: Query): unknown[];
}

/** Blanks of a statement, which take their values from the query for which it is run. */
export interface Blanks<Query> {
  /** A blank that is filled with a text. */
  blank(read: (query: Query) => string): SQL;
  /** Writes the statement in which the blanks stand. */
  keep(statement: SQL): KeptStatement<Query>;
}

const dialect = new PgDialect();

/** Blanks of one statement, none yet. */
export function createBlanks<Query>(): Blanks<Query> {
  const reads: ((query: Query) => string)[] = [];
  return {
    blank: (read) => sql`${sql.placeholder(String(reads.push(read) - 1))}`,
    keep(statement) {
      const { sql: text, params } = dialect.sqlToQuery(statement);
      const values = params.map((param) => {
        if (!is(param, Placeholder)) return () => param;
        return reads[Number((param as Placeholder).name)]!;
      });
      return { text, valuesOf: (query) => values.map((value) => value(query)) };
    },
  };
}

/** What the driver takes and its types leave out: `simple` says whether the simple protocol is used, which cannot prepare. */
interface UnsafeOptions {
  readonly prepare: boolean;
  readonly simple: boolean;
}

/**
 * Runs a statement and gives its rows as the driver reads them. Prepared, a connection parses it once, and from then on it is one round
 * trip; otherwise it takes two each time where it has values, because the driver asks for their types first. The driver prepares anew where
 * a migration has changed what a prepared statement gives.
 */
export async function runKept<Query>(
  queries: Queries,
  { text, valuesOf }: KeptStatement<Query>,
  query: Query,
  { prepared }: { readonly prepared: boolean },
): Promise<readonly (readonly unknown[])[]> {
  const values = valuesOf(query) as string[];
  const options: UnsafeOptions = { prepare: prepared, simple: false };
  return clientOf(queries).unsafe<unknown[][]>(text, values, options).values();
}
