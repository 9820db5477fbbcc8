import { Column, fillPlaceholders, is, SQL } from "drizzle-orm";
import { sqlClientOf, addStatementTextToErrors } from "./sql-client-of.ts";
import type { Queries } from "./queries.ts";

interface BuiltStatement<Rows> {
  execute(values: Readonly<Record<string, unknown>>): Promise<Rows>;
}

/** Parts of a built statement that drizzle does not document: docs/decisions/0081-private-doors.md. */
interface WrittenStatement {
  readonly queryString: string;
  readonly params: unknown[];
  readonly fields: readonly { readonly path: readonly string[]; readonly field: unknown }[];
}

type ReadRows = (rows: readonly (readonly unknown[])[]) => unknown;

export function prepareQuery<Rows>(
  name: string,
  write: (queries: Queries) => { prepare(name: string): BuiltStatement<Rows> },
): (queries: Queries, values: Readonly<Record<string, unknown>>) => Promise<Rows> {
  let prepared: (Omit<WrittenStatement, "fields"> & { readonly readRows: ReadRows }) | undefined;
  return async (queries, values) => {
    if (prepared === undefined) {
      const { queryString, params, fields } = write(queries).prepare(name) as unknown as WrittenStatement;
      prepared = { queryString, params, readRows: rowReaderOf(name, fields) };
    }
    const { queryString, params, readRows } = prepared;
    const given = fillPlaceholders(params, values) as string[];
    const rows = sqlClientOf(queries).unsafe<unknown[][]>(queryString, given, { prepare: true }).values();
    return readRows(await addStatementTextToErrors(queryString, rows)) as Rows;
  };
}

/** Returns a function that decodes rows as drizzle does, but inspects the kind of each field only once instead of for every value. */
function rowReaderOf(name: string, fields: WrittenStatement["fields"]): ReadRows {
  const readers = fields.map(({ path, field }) => {
    const decoder = is(field, Column) ? field : is(field, SQL) ? decoderOf(field) : undefined;
    if (path.length !== 1 || decoder === undefined)
      throw new Error(`${name} returns more than columns and expressions.`);
    return { key: path[0]!, decoder };
  });
  return (rows) =>
    rows.map((row) => {
      const read: Record<string, unknown> = {};
      for (let index = 0; index < readers.length; index++) {
        const { key, decoder } = readers[index]!;
        const value = row[index];
        read[key] = value === null ? null : decoder.mapFromDriverValue(value);
      }
      return read;
    });
}

function decoderOf(field: SQL): { mapFromDriverValue(value: unknown): unknown } {
  return (field as unknown as { readonly decoder: { mapFromDriverValue(value: unknown): unknown } }).decoder;
}
