import { PermanentReportError } from "../../base/errors.ts";
import type { ValueColumn } from "./column.ts";
import { createTimestampConverter, type TimestampConverter } from "../../base/time/local-timestamp.ts";

export type JsonCell = string | number | boolean | readonly (string | null)[] | null;

export type JsonRow = Readonly<Record<string, JsonCell>>;

/**
 * Returns a function that converts the wire texts of a row to an object of the json format, with times in the given zone. Integers and booleans
 * become JSON numbers and booleans, lists become arrays, and all other values are texts. It throws PermanentReportError("INVALID_DATA") for an
 * invalid value. A test compares the objects with those of the renderers, which work on bytes.
 */
export function createJsonRowConverter(
  columns: readonly ValueColumn[],
  timezone: string,
): (cells: readonly (string | null)[]) => JsonRow {
  const localOf = createTimestampConverter(timezone);
  return (cells) =>
    Object.fromEntries(
      columns.map((column, at) => {
        const text = cells[at] ?? null;
        return [column.key, text === null ? null : readCell(column, text, localOf)];
      }),
    );
}

function readCell({ key, kind }: ValueColumn, text: string, localOf: TimestampConverter): JsonCell {
  switch (kind) {
    case "integer":
      if (!Number.isSafeInteger(Number(text)))
        throw invalidDataError(`A value of ${key} is not an integer within ±2^53.`);
      return Number(text);
    case "boolean":
      return text.startsWith("t");
    case "timestamp":
      return toRfc3339(localOf(text));
    case "list":
      return readList(key, text);
    default:
      return text;
  }
}

const wireTimestampPattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d)(:\d\d)?(:\d\d)?$/;

/**
 * Converts a wire time to RFC 3339, whose offsets have no seconds. An offset with seconds is cut to the minute, and the time is adjusted. Infinity
 * and years above 9999 stay unchanged.
 */
function toRfc3339(text: string): string {
  const [, day, time, fraction = "", hours, minutes = ":00", seconds] = wireTimestampPattern.exec(text) ?? [];
  if (day === undefined) return text;
  if (seconds === undefined) return `${day}T${time}${fraction}${hours}${minutes}`;
  const towardsUtcMs = (hours!.startsWith("+") ? -1000 : 1000) * Number(seconds.slice(1));
  const whole = new Date(Date.parse(`${day}T${time}Z`) + towardsUtcMs).toISOString().slice(0, 19);
  return `${whole}${fraction}${hours}${minutes}`;
}

/** Matches the elements of a Postgres text-array literal without its braces. An element is quoted or bare. */
const elementPattern = /"((?:[^"\\]|\\.)*)"|([^,]+)/gs;

function readList(key: string, literal: string): readonly (string | null)[] {
  // The literal of an array whose indexes don't begin at 1 has a prefix: `[2:3]={a,b}`.
  const elements = literal.slice(literal.indexOf("{") + 1, -1);
  if (elements.startsWith("{")) throw invalidDataError(`A list of ${key} holds lists.`);
  return [...elements.matchAll(elementPattern)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, "$1");
    return bare!.toUpperCase() === "NULL" ? null : bare!;
  });
}

function invalidDataError(what: string): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    `${what} The source of this report type is broken; its owner must fix it.`,
  );
}
