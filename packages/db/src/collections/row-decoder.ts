import { Column, is } from "drizzle-orm";
import { PgTimestamp, type PgColumn } from "drizzle-orm/pg-core";

export type RowDecoder = (row: readonly unknown[]) => Record<string, unknown>;

export function createRowDecoder(
  columns: Readonly<Record<string, PgColumn>>,
  { timesAsText = false }: { readonly timesAsText?: boolean } = {},
): RowDecoder {
  const names = Object.keys(columns);
  const reads = Object.values(columns).map((column) =>
    timesAsText && is(column, PgTimestamp) && column.withTimezone ? toIsoTime : decoderOf(column),
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

function decoderOf(column: PgColumn): ((value: unknown) => unknown) | null {
  // oxlint-disable-next-line typescript/unbound-method -- compared, not called
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => column.mapFromDriverValue(value);
}

/** Matches a timestamptz text from a session in UTC. Postgres omits trailing zeros of the fraction, and a zero fraction. */
const utcTimePattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** Converts a timestamptz text without creating a Date. A Date per value would take most of the CPU time of a list request. */
export function toIsoTime(value: unknown): string {
  const text = value as string;
  const [, day, time, fraction = ""] = utcTimePattern.exec(text) ?? [];
  if (day === undefined) return new Date(text).toISOString();
  return `${day}T${time}.${fraction.padEnd(3, "0")}Z`;
}
