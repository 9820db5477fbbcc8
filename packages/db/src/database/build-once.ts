import type { Queries } from "./queries.ts";

interface BuiltStatement<Rows> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Rows>;
}

/** A statement without a name is planned at every call, for the values of that call and the current content of the tables. */
const unnamedStatement = undefined as unknown as string;

/** Builds the SQL text of a frequent statement once per client. A build needs 80 kB and more time than the rest of the call. */
export function buildStatementOnce<Rows>(
  write: (queries: Queries) => { prepare(name: string): BuiltStatement<Rows> },
): (queries: Queries, values: Readonly<Record<string, unknown>>) => Promise<Rows> {
  const builtFor = new WeakMap<Queries, BuiltStatement<Rows>>();
  return (queries, values) => {
    const built = builtFor.get(queries) ?? write(queries).prepare(unnamedStatement);
    builtFor.set(queries, built);
    return built.execute(values);
  };
}
