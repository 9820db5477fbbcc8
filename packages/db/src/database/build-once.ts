import type { Queries } from "./queries.ts";

/** A statement that the query builder has written, with placeholders for its values. */
interface Built<Rows> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Rows>;
}

/** Without a name, every call is planned by its values and by what the tables hold by then. */
const unnamed = undefined as unknown as string;

/**
 * Keeps the text of a statement that is sent again and again: to write it anew takes the query builder some 80 kB and more time than
 * everything else that the caller does for the call.
 */
export function buildOnce<Rows>(
  write: (queries: Queries) => { prepare(name: string): Built<Rows> },
): (queries: Queries, values: Readonly<Record<string, unknown>>) => Promise<Rows> {
  const builtFor = new WeakMap<Queries, Built<Rows>>();
  return (queries, values) => {
    const built = builtFor.get(queries) ?? write(queries).prepare(unnamed);
    builtFor.set(queries, built);
    return built.execute(values);
  };
}
