import { PermanentReportError } from "../../base/errors.ts";
import type { ReportColumn } from "./column.ts";
import { createLocalTimestamp, type LocalTimestamp } from "./local-timestamp.ts";

export type JsonCell = string | number | boolean | readonly (string | null)[] | null;

/** A row of the json format, by column key. docs/reference/file-formats.md#formats. */
export type JsonRow = Readonly<Record<string, JsonCell>>;

/**
 * Makes the function that converts a row's wire texts to a json object in a time zone: integers and booleans are JSON's own; bigint, decimal and ratio
 * are texts; lists are arrays. A test compares it with the renderers, which work on bytes. Throws PermanentReportError("INVALID_DATA") for an invalid
 * value.
 */
export function createJsonRow(
  columns: readonly Pick<ReportColumn, "key" | "kind">[],
  timezone: string,
): (cells: readonly (string | null)[]) => JsonRow {
  const localOf = createLocalTimestamp(timezone);
  return (cells) =>
    Object.fromEntries(
      columns.map((column, at) => {
        const text = cells[at] ?? null;
        return [column.key, text === null ? null : readCell(column, text, localOf)];
      }),
    );
}

function readCell({ key, kind }: Pick<ReportColumn, "key" | "kind">, text: string, localOf: LocalTimestamp): JsonCell {
  switch (kind) {
    case "integer":
      if (!Number.isSafeInteger(Number(text))) throw unfit(`A value of ${key} is not an integer within ±2^53.`);
      return Number(text);
    case "boolean":
      return text.startsWith("t");
    case "timestamp":
      return rfc3339(localOf(text));
    case "list":
      return readList(key, text);
    default:
      return text;
  }
}

const timestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d)(:\d\d)?(:\d\d)?$/;

/** Converts a wire time to RFC 3339. Offsets with seconds move to the minute. Infinity and far years stay. */
function rfc3339(text: string): string {
  const [, day, time, fraction = "", hours, minutes = ":00", seconds] = timestamp.exec(text) ?? [];
  if (day === undefined) return text;
  if (seconds === undefined) return `${day}T${time}${fraction}${hours}${minutes}`;
  const towardsUtcMs = (hours!.startsWith("+") ? -1000 : 1000) * Number(seconds.slice(1));
  const whole = new Date(Date.parse(`${day}T${time}Z`) + towardsUtcMs).toISOString().slice(0, 19);
  return `${whole}${fraction}${hours}${minutes}`;
}

/** Elements of a Postgres text-array literal without braces: quoted, or bare. */
const element = /"((?:[^"\\]|\\.)*)"|([^,]+)/gs;

function readList(key: string, literal: string): readonly (string | null)[] {
  // `[2:3]={a,b}` does not begin at 1.
  const elements = literal.slice(literal.indexOf("{") + 1, -1);
  if (elements.startsWith("{")) throw unfit(`A list of ${key} holds lists.`);
  return [...elements.matchAll(element)].map(([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/gs, "$1");
    return bare!.toUpperCase() === "NULL" ? null : bare!;
  });
}

function unfit(what: string): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    `${what} The source of this report type is broken; its owner must fix it.`,
  );
}
