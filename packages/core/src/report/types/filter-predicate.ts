import { compareTextsByCodeUnit } from "../../query/filter-value-handlers.ts";
import type { Filter, FilterValue } from "../../query/filters.ts";
import { compareTimestamps, normaliseTimestamp } from "../../query/timestamp.ts";
import { createCellPredicate, type CellPredicate } from "./cell-condition.ts";
import type { ColumnKind, ValueColumn } from "./column.ts";
import { compareExact, parseExactNumber } from "./exact-number.ts";
import { toLocalDay } from "../../base/time/local-timestamp.ts";
import { isNumericKind } from "./logical-columns.ts";
import type { ObjectCell } from "./object-cell.ts";
import type { RowWithCells } from "./row-order.ts";

export type RowPredicate = (row: Pick<RowWithCells, "cell">) => boolean;

export function createFilterPredicate(
  filter: Pick<Filter, "operator" | "value" | "columns">,
  values: readonly FilterValue[],
  columns: readonly ValueColumn[],
  timezone: string,
): RowPredicate | null {
  const tests = filter.columns.flatMap((key): RowPredicate[] => {
    const kind = columns.find((column) => column.key === key)?.kind;
    const meets = kind === undefined ? null : createColumnPredicate(filter, values, kind, timezone);
    return meets === null ? [] : [(row) => meets(row.cell(key))];
  });
  if (tests.length < filter.columns.length || tests.length === 0) return null;
  return filter.operator === "notIn"
    ? (row) => tests.every((test) => test(row))
    : (row) => tests.some((test) => test(row));
}

function createColumnPredicate(
  { operator, value: valueKind }: Pick<Filter, "operator" | "value">,
  values: readonly FilterValue[],
  kind: ColumnKind,
  timezone: string,
): CellPredicate | null {
  if (operator === "empty") return (cell) => isEmptyCell(cell) === (String(values[0]) === "true");
  const matchesText = createTextPredicate(operator, values.map(String));
  if (matchesText !== null) return kind === "text" ? (cell) => typeof cell === "string" && matchesText(cell) : null;
  if (operator === "has" || kind === "list") {
    const hasAny = createCellPredicate({ column: "", in: values.map(String) }, kind);
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

function createTextPredicate(
  operator: Filter["operator"],
  values: readonly string[],
): ((text: string) => boolean) | null {
  switch (operator) {
    case "contains": {
      const wanted = foldCase(values[0] ?? "");
      return (text) => foldCase(text).includes(wanted);
    }
    case "suffix":
      return (text) => values.some((value) => text === value || text.endsWith(`.${value}`));
    case "serves":
      return (text) => values.some((value) => text === value || text === toCoveringWildcard(value));
    default:
      return null;
  }
}

/** Converts each character to lower case separately, as `ilike` of Postgres does. In JavaScript, neighbours can change the result. */
function foldCase(text: string): string {
  return [...text].map((character) => [...character.toLowerCase()][0]).join("");
}

/** Returns the wildcard that covers a host name. A wildcard stands for exactly one label (RFC 9525 §6.3). */
export function toCoveringWildcard(hostname: string): string {
  return `*${hostname.slice(hostname.indexOf("."))}`;
}

type CellComparison = (cell: string, value: string) => number;

function createCellComparison(value: Filter["value"], kind: ColumnKind, timezone: string): CellComparison | null {
  switch (value) {
    case "boolean":
      return kind === "boolean" ? (cell, text) => compareTextsByCodeUnit(cell, text.charAt(0)) : null;
    case "integer":
    case "decimal":
      return isNumericKind(kind) ? (cell, text) => compareExact(parseExactNumber(cell), parseExactNumber(text)) : null;
    case "date":
      return kind === "date" ? compareTextsByCodeUnit : null;
    case "time":
      return kind === "time" ? compareTextsByCodeUnit : null;
    case "timestamp":
      if (kind === "date") return (cell, text) => compareTextsByCodeUnit(cell, toLocalDay(new Date(text), timezone));
      return kind === "timestamp" ? compareInstants : null;
    default:
      return kind === "text" ? compareTextsByCodeUnit : null;
  }
}

function isEmptyCell(cell: ObjectCell): boolean {
  return cell === null || (typeof cell !== "string" && cell.length === 0);
}

function compareInstants(cell: string, text: string): number {
  const instant = normaliseTimestamp(cell.replace(" ", "T").replace(/\+00$/, "Z"));
  // If a cell is not an RFC 3339 time, its year is below 1000. Values of filters begin at the year 1000.
  return instant === null ? -1 : compareTimestamps(instant, text);
}
