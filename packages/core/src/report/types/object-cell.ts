import { normaliseTimeOfDay } from "../../query/time-of-day.ts";
import type { ReportColumn, ValueColumn } from "./column.ts";
import { withoutExponent } from "./exact-number.ts";
import { toLocalDay, toWireTimestamp } from "../../base/time/local-timestamp.ts";
import type { ObjectRow } from "./row-source.ts";

/** A value of an object row as wire text, or as the texts of a list's elements; null if the value is missing. */
export type ObjectCell = string | readonly string[] | null;

type CellValue = NonNullable<ObjectRow[string]>;

/**
 * Returns the value of a column in wire form, exact and without leading zeros; undefined if it does not fit the column's kind. Lone surrogates and
 * NUL become U+FFFD. Instants are written in UTC; in a column of kind `date`, as the day in the time zone.
 */
export function readObjectCell({ key, kind }: ValueColumn, row: ObjectRow, timezone: string): ObjectCell | undefined {
  const value = row[key];
  return value === null || value === undefined ? null : readValue(kind, value, timezone);
}

export function describeValueType(value: ObjectRow[string] | undefined): string {
  if (value instanceof Date) return "a date";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function readValue(kind: ReportColumn["kind"], value: CellValue, timezone: string): ObjectCell | undefined {
  switch (kind) {
    case "text":
      return typeof value === "string" ? replaceUnsafe(value) : undefined;
    case "integer":
      return readSafeInteger(value);
    case "bigint":
    case "bytes":
      return readInteger(value);
    case "decimal":
    case "ratio":
    case "duration":
      return readDecimal(value);
    case "boolean":
      return typeof value === "boolean" ? (value ? "t" : "f") : undefined;
    case "timestamp":
      return value instanceof Date ? readInstant(value) : undefined;
    case "date":
      return value instanceof Date ? readDayOf(value, timezone) : readDay(value);
    case "time":
      return typeof value === "string" ? (normaliseTimeOfDay(value) ?? undefined) : undefined;
    case "list":
      return isTextList(value) ? value.map(replaceUnsafe) : undefined;
  }
}

function readInteger(value: CellValue): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+$/.test(value) ? withoutLeadingZeros(value) : undefined;
}

function readSafeInteger(value: CellValue): string | undefined {
  const text = readInteger(value);
  return text !== undefined && Number.isSafeInteger(Number(text)) ? text : undefined;
}

function readDecimal(value: CellValue): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? withoutExponent(String(value)) : undefined;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? withoutLeadingZeros(value) : undefined;
}

function withoutLeadingZeros(text: string): string {
  if (!text.startsWith("0") && !text.startsWith("-")) return text;
  const plain = text.replace(/^(-?)0+(?=\d)/, "$1");
  return /^-[0.]+$/.test(plain) ? plain.slice(1) : plain;
}

function readInstant(value: Date): string | undefined {
  try {
    return toWireTimestamp(value);
  } catch {
    return undefined;
  }
}

function readDayOf(value: Date, timezone: string): string | undefined {
  if (readInstant(value) === undefined) return undefined;
  try {
    const day = toLocalDay(value, timezone);
    return day.length === 10 ? day : undefined;
  } catch {
    return undefined;
  }
}

function readDay(value: CellValue): string | undefined {
  if (typeof value !== "string" || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value ? undefined : value;
}

function isTextList(value: CellValue): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function replaceUnsafe(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
