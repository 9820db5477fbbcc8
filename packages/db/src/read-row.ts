import { Column } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** Reads a row of values, in the order of the columns, as postgres.js gives them under drizzle. */
export type ReadRow = (row: readonly unknown[]) => Record<string, unknown>;

/** Makes what reads rows of these columns, once for all rows. */
export function readRowOf(columns: Readonly<Record<string, PgColumn>>): ReadRow {
  const names = Object.keys(columns);
  const reads = Object.values(columns).map(readOf);
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
