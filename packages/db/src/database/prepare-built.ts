import type { Queries } from "./queries.ts";

/** A statement that the query builder has written, with placeholders for its values. */
interface Built<Rows> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Rows>;
}

/** What the builder has made, less the connection for which it did. */
interface Written {
  readonly queryString: string;
  readonly params: unknown[];
  readonly fields: Parameters<Queries["_"]["session"]["prepareQuery"]>[1];
  readonly joinsNotNullableMap: unknown;
}

/**
 * As prepareStatement, of a statement that the query builder writes and whose rows it reads: the text is written once for all calls, inside
 * and outside of transactions, parsed and planned once by each connection, and a call is one round trip.
 */
export function prepareBuilt<Rows>(
  name: string,
  write: (queries: Queries) => { prepare(name: string): Built<Rows> },
): (queries: Queries, values: Readonly<Record<string, unknown>>) => Promise<Rows> {
  let written: Written | undefined;
  return async (queries, values) => {
    written ??= write(queries).prepare(name) as unknown as Written;
    const { queryString, params, fields, joinsNotNullableMap } = written;
    const own = queries._.session.prepareQuery({ sql: queryString, params }, fields, name, true);
    return Object.assign(own, { joinsNotNullableMap }).execute(values) as Promise<Rows>;
  };
}
