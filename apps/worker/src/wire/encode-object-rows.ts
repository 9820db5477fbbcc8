import { Buffer } from "node:buffer";
import { type ObjectRow, PermanentReportError, type ReportColumn } from "@reports/core";
import { createTimestampFormatter, type FormatTimestamp } from "./zoned-timestamp.ts";

const chunkCharacters = 64 * 1024;

type Value = ObjectRow[string];

/**
 * Encodes rows that are objects into the wire form. Values are exact: a value that does not fit its column's kind is INVALID_DATA.
 * Lone surrogates and NUL, which the wire form cannot hold, become U+FFFD; a key that is missing is a null.
 */
export async function* encodeObjectRows(
  rows: AsyncIterable<ObjectRow>,
  columns: readonly ReportColumn[],
  timezone: string,
): AsyncGenerator<Buffer> {
  const formatTimestamp = createTimestampFormatter(timezone);
  let text = "";
  for await (const row of rows) {
    text += columns.map((column) => encodeField(column, row[column.key] ?? null, formatTimestamp)).join(",");
    text += "\n";
    if (text.length < chunkCharacters) continue;
    yield Buffer.from(text, "utf8");
    text = "";
  }
  if (text !== "") yield Buffer.from(text, "utf8");
}

function encodeField(column: ReportColumn, value: Value, formatTimestamp: FormatTimestamp): string {
  if (value === null) return "";
  const text = encodeValue(column, value, formatTimestamp);
  if (text === null) throw unfit(column, value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a value in the wire form; null when it does not fit the kind. */
function encodeValue(column: ReportColumn, value: NonNullable<Value>, formatTimestamp: FormatTimestamp): string | null {
  switch (column.kind) {
    case "text":
      return typeof value === "string" ? clean(value) : null;
    case "integer":
      return Number.isSafeInteger(Number(value)) ? encodeInteger(value) : null;
    case "bigint":
      return encodeInteger(value);
    case "decimal":
    case "ratio":
      return encodeDecimal(value);
    case "boolean":
      return typeof value === "boolean" ? (value ? "t" : "f") : null;
    case "timestamp":
      return value instanceof Date ? encodeInstant(value, formatTimestamp) : null;
    case "date":
      return value instanceof Date ? (encodeInstant(value, formatTimestamp)?.slice(0, 10) ?? null) : encodeDay(value);
    case "list":
      return Array.isArray(value) ? encodeList(value) : null;
  }
}

function encodeInteger(value: Value): string | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+$/.test(value) ? value : null;
}

function encodeDecimal(value: Value): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? withoutExponent(String(value)) : null;
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? value : null;
}

/** `1.5e-7` → `0.00000015`, digit by digit, so that nothing is rounded. */
function withoutExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return (
    sign + (point >= digits.length ? digits.padEnd(point, "0") : `${digits.slice(0, point)}.${digits.slice(point)}`)
  );
}

function encodeInstant(value: Date, formatTimestamp: FormatTimestamp): string | null {
  try {
    return formatTimestamp(value);
  } catch {
    return null;
  }
}

function encodeDay(value: Value): string | null {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
}

function encodeList(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${clean(element).replaceAll(/[\\"]/g, String.raw`\$&`)}"`).join(",")}}`;
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function unfit(column: ReportColumn, value: NonNullable<Value>): PermanentReportError {
  const found = value instanceof Date ? "a date" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type gave ${found} that is not a valid ${column.kind} for column ${column.key}. Its owner must fix it.`,
  );
}
