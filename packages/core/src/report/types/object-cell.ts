import type { ReportColumn } from "./column.ts";
import { withoutExponent } from "./exact-number.ts";
import { localDayOf, wireTimestampOf } from "./local-timestamp.ts";
import type { ObjectRow } from "./row-source.ts";

/** An object row's value as wire text, or the texts of a list's elements; null if missing. */
export type ObjectCell = string | readonly string[] | null;

type Value = NonNullable<ObjectRow[string]>;

/**
 * Returns a column's canonical value (`007` is 7), exact; undefined if it does not fit the kind. Lone surrogates and NUL become U+FFFD, and a
 * missing key is null. Instants are in UTC, or in a day column the zone's day.
 */
export function readObjectCell(
  { key, kind }: Pick<ReportColumn, "key" | "kind">,
  row: ObjectRow,
  timezone: string,
): ObjectCell | undefined {
  const value = row[key];
  return value === null || value === undefined ? null : readValue(kind, value, timezone);
}

/** Describes a value that does not fit, for messages. */
export function describeValue(value: ObjectRow[string] | undefined): string {
  if (value instanceof Date) return "a date";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function readValue(kind: ReportColumn["kind"], value: Value, timezone: string): ObjectCell | undefined {
  switch (kind) {
    case "text":
      return typeof value === "string" ? clean(value) : undefined;
    case "integer":
      return readSafeInteger(value);
    case "bigint":
    case "bytes":
      return readInteger(value);
    case "decimal":
    case "ratio":
      return readDecimal(value);
    case "boolean":
      return typeof value === "boolean" ? (value ? "t" : "f") : undefined;
    case "timestamp":
      return value instanceof Date ? readInstant(value) : undefined;
    case "date":
      return value instanceof Date ? readDayOf(value, timezone) : readDay(value);
    case "list":
      return isTextList(value) ? value.map(clean) : undefined;
  }
}

function readInteger(value: Value): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+$/.test(value) ? withoutLeadingZeros(value) : undefined;
}

function readSafeInteger(value: Value): string | undefined {
  const text = readInteger(value);
  return text !== undefined && Number.isSafeInteger(Number(text)) ? text : undefined;
}

function readDecimal(value: Value): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? withoutExponent(String(value)) : undefined;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? withoutLeadingZeros(value) : undefined;
}

/** `-007.10` → `-7.10`; zero has no sign. */
function withoutLeadingZeros(text: string): string {
  // Most numbers are canonical.
  if (!text.startsWith("0") && !text.startsWith("-")) return text;
  const plain = text.replace(/^(-?)0+(?=\d)/, "$1");
  return /^-[0.]+$/.test(plain) ? plain.slice(1) : plain;
}

function readInstant(value: Date): string | undefined {
  try {
    return wireTimestampOf(value);
  } catch {
    return undefined;
  }
}

/** Undefined outside the years 1 to 9999, in UTC or in the zone. */
function readDayOf(value: Date, timezone: string): string | undefined {
  if (readInstant(value) === undefined) return undefined;
  try {
    const day = localDayOf(value, timezone);
    return day.length === 10 ? day : undefined;
  } catch {
    return undefined;
  }
}

function readDay(value: Value): string | undefined {
  if (typeof value !== "string" || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value ? undefined : value;
}

function isTextList(value: Value): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
