import type { Queries } from "./queries.ts";

interface Built<Rows> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Rows>;
}

/** An unnamed statement is planned at each call, by its values and the tables' content. */
const unnamed = undefined as unknown as string;

/** Caches the text of a frequent statement: the query builder needs 80 kB and more time than the rest of the call. */
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
