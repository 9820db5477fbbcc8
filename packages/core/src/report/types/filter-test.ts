import type { Filter, FilterValue } from "../../query/filters.ts";
import { compareTimestamps, normaliseTimestamp } from "../../query/timestamp.ts";
import { createCellTest, type CellTest } from "./cell-condition.ts";
import type { ColumnKind } from "./column.ts";
import { compareExact, parseExact } from "./exact-number.ts";
import { localDayOf } from "./local-timestamp.ts";
import type { ObjectCell } from "./object-cell.ts";

/**
 * Returns the function that tests a cell of a column as a database would evaluate a filter on it. Returns null for `contains`, `suffix` and
 * `serves`, and for values that cannot be compared with the kind of the column.
 */
export function createFilterTest(
  { operator, value: valueKind }: Pick<Filter, "operator" | "value">,
  values: readonly FilterValue[],
  kind: ColumnKind,
  timezone: string,
): CellTest | null {
  if (operator === "empty") return (cell) => isEmptyCell(cell) === (String(values[0]) === "true");
  if (operator === "contains" || operator === "suffix" || operator === "serves") return null;
  if (operator === "has" || kind === "list") {
    const hasAny = createCellTest({ column: "", in: values.map(String) }, kind);
    if (operator === "from" || operator === "to") return null;
    return operator === "notIn" ? (cell) => !hasAny(cell) : hasAny;
  }
  const compare = createCellComparison(valueKind, kind, timezone);
  if (compare === null) return null;
  const isOneOf = (cell: string): boolean => values.some((value) => compare(cell, String(value)) === 0);
  return (cell) => {
    if (typeof cell !== "string") return operator === "notIn";
    if (operator === "in") return isOneOf(cell);
    if (operator === "notIn") return !isOneOf(cell);
    const order = compare(cell, String(values[0]));
    return operator === "from" ? order >= 0 : order < 0;
  };
}

/** Compares the text of a cell with a value: negative if the cell is smaller. */
type CellComparison = (cell: string, value: string) => number;

function createCellComparison(value: Filter["value"], kind: ColumnKind, timezone: string): CellComparison | null {
  switch (value) {
    case "boolean":
      return kind === "boolean" ? (cell, text) => compareTexts(cell, text.charAt(0)) : null;
    case "integer":
    case "decimal":
      return isNumberKind(kind) ? (cell, text) => compareExact(parseExact(cell), parseExact(text)) : null;
    case "date":
      return kind === "date" ? compareTexts : null;
    case "timestamp":
      if (kind === "date") return (cell, text) => compareTexts(cell, localDayOf(new Date(text), timezone));
      return kind === "timestamp" ? compareInstants : null;
    default:
      return kind === "text" ? compareTexts : null;
  }
}

function isEmptyCell(cell: ObjectCell): boolean {
  return cell === null || (typeof cell !== "string" && cell.length === 0);
}

function isNumberKind(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal" || kind === "ratio" || kind === "bytes";
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareInstants(cell: string, text: string): number {
  const instant = normaliseTimestamp(cell.replace(" ", "T").replace(/\+00$/, "Z"));
  // A cell without an RFC 3339 time is before the year 1000, the first year of values.
  return instant === null ? -1 : compareTimestamps(instant, text);
}
