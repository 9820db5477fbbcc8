import { isNumericKind, type ReportColumn } from "@reports/core/report";
import { parseTextArray, type WireRow } from "../../wire/read-rows.ts";

/** Number of rows at the start of a sheet that decide on the widths and units of its columns. */
export const sampledRowCount = 500;
/** Maximum width in characters to which texts widen a column. A longer text takes several lines. */
const maxTextWidth = 60;
/** Width of the edges of a cell and of the indent after a number, in characters. */
const numberMargin = 4;

/**
 * Widens columns so that the texts and numbers of the first rows fit on one line. Programs show ### for a number that does not fit. No column becomes
 * narrower than its definition says.
 */
export function widenColumnsToFitRows(columns: readonly ReportColumn[], rows: Iterable<WireRow>): ReportColumn[] {
  const widths = columns.map(({ width }) => width);
  for (const row of Iterator.from(rows).take(sampledRowCount)) {
    columns.forEach((column, at) => {
      const value = row[at] ?? null;
      if (value !== null) widths[at] = Math.max(widths[at]!, Math.min(textLength(column, value), maxTextWidth));
    });
  }
  return columns.map((column, at) => ({ ...column, width: widths[at]! }));
}

function textLength(column: ReportColumn, value: string): number {
  const { kind, titles } = column;
  if (kind === "text") return value.includes("\n") ? 0 : value.length;
  if (kind === "list") {
    const elements = parseTextArray(value).map((element) => (element === null ? "" : (titles?.[element] ?? element)));
    return elements.join("; ").length;
  }
  // Sizes never widen a column, because their unit is chosen so that they are short.
  return isNumericKind(kind) && kind !== "bytes" ? numberLength(column, value) + numberMargin : 0;
}

function numberLength({ kind, digits, unit, currency }: ReportColumn, value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number)) return value.length;
  if (kind === "duration") return durationLength(number) + placesLength(digits ?? 0);
  if (kind === "ratio") return String(Math.trunc(number * 100)).length + placesLength(digits ?? 2) + 1;
  const point = value.indexOf(".");
  const whole = point < 0 ? value.length : point;
  const places = digits ?? (currency === undefined ? countPlacesWithoutZeros(value, whole) : 2);
  const separators = Math.floor((whole - 1) / 3);
  return whole + separators + placesLength(places) + (unit === undefined ? 0 : 1);
}

/** Returns the length in characters of a duration: hours, minutes and seconds, or days with five decimal places if it is negative. */
function durationLength(seconds: number): number {
  return seconds < 0
    ? (seconds / 86_400).toFixed(5).length + 2
    : String(Math.trunc(seconds / 3600)).length + ":00:00".length;
}

/**
 * Counts the digits after the decimal point at index `point`, up to the last one that is not 0. Without a point, `point` is the length. A pattern such
 * as /0+$/ would take quadratic time.
 */
function countPlacesWithoutZeros(value: string, point: number): number {
  let end = value.length;
  while (end > point && value[end - 1] === "0") end -= 1;
  return Math.max(0, end - point - 1);
}

function placesLength(places: number): number {
  return places === 0 ? 0 : places + 1;
}
