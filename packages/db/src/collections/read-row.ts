import { Column, is } from "drizzle-orm";
import { PgTimestamp, type PgColumn } from "drizzle-orm/pg-core";

/** Reads a row of values, in the order of the columns, as postgres.js gives them under drizzle. */
export type ReadRow = (row: readonly unknown[]) => Record<string, unknown>;

/** Makes what reads rows of these columns, once for all rows. With `timesAsText`, times are what `Date.toISOString` would write of them. */
export function readRowOf(
  columns: Readonly<Record<string, PgColumn>>,
  { timesAsText = false }: { readonly timesAsText?: boolean } = {},
): ReadRow {
  const names = Object.keys(columns);
  const reads = Object.values(columns).map((column) =>
    timesAsText && is(column, PgTimestamp) && column.withTimezone ? isoOf : readOf(column),
  );
  return (row) => {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const value = row[index];
      const read = reads[index]!;
      record[names[index]!] = value === null || read === null ? value : read(value);
    }
    return record;
  };
}

/** Null for columns whose values are taken as they come. */
function readOf(column: PgColumn): ((value: unknown) => unknown) | null {
  // oxlint-disable-next-line typescript/unbound-method -- compared, not called
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => column.mapFromDriverValue(value);
}

/** As a session in UTC writes a time of milliseconds: it leaves zeros at the end out. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/**
 * A time of Postgres in RFC 3339. Text into text: to make a Date of each of a list's times and to write it again takes longer than all else
 * that is done with the list's rows.
 */
export function isoOf(value: unknown): string {
  const text = value as string;
  const [, day, time, fraction = ""] = inUtc.exec(text) ?? [];
  if (day === undefined) return new Date(text).toISOString();
  return `${day}T${time}.${fraction.padEnd(3, "0")}Z`;
}
