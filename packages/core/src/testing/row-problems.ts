import type { Filter } from "../query/filters.ts";
import type { SortKey } from "../query/sort-key.ts";
import { createFilterPredicate } from "../report/types/filter-predicate.ts";
import { describeValueType, readObjectCell, type ObjectCell } from "../report/types/object-cell.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { ObjectRow, ObjectRowsRequest } from "../report/types/row-source.ts";
import { createConditionPredicate } from "../report/types/row-condition.ts";
import { createRowComparator, type RowWithCells } from "../report/types/row-order.ts";

export interface RowValuesResult {
  readonly rows: readonly RowWithCells[];
  readonly problems: readonly string[];
}

/** Reads rows by the kinds of their columns. In a `date` column, an instant is its day in `timezone`. Returns one problem per column or key. */
export function readRowValues(
  { columns }: ReportTypeDefinition,
  given: readonly ObjectRow[],
  timezone: string,
): RowValuesResult {
  const problems = new Map<string, string>();
  const report = (place: string, problem: string): void => {
    if (!problems.has(place)) problems.set(place, problem);
  };
  const keys = new Set(columns.map(({ key }) => key));
  const rows = given.flatMap((row, at): RowWithCells[] => {
    if (typeof row !== "object" || row === null) {
      report("", `row ${at + 1} is not an object.`);
      return [];
    }
    for (const key of Object.keys(row))
      if (!keys.has(key)) report(key, `row ${at + 1} has ${JSON.stringify(key)}, which is not a column.`);
    const cells = new Map<string, ObjectCell>();
    for (const column of columns) {
      const cell = readObjectCell(column, row, timezone);
      if (cell === undefined)
        report(
          column.key,
          `row ${at + 1}: ${column.key} is ${describeValueType(row[column.key])} that is not a valid ${column.kind}.`,
        );
      cells.set(column.key, cell ?? null);
    }
    return [{ row, cell: (key) => cells.get(key) ?? null }];
  });
  return { rows, problems: [...problems.values()] };
}

export function applyFixedConditions(
  { where, columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
): readonly RowWithCells[] {
  return rows.filter(createConditionPredicate(where, columns));
}

export function findUnsortedRowProblem(
  { columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
  sort: readonly SortKey[],
): string | null {
  const compare = createRowComparator(sort, columns);
  const at = rows.findIndex((row, index) => index > 0 && compare(rows[index - 1]!, row) > 0);
  return at < 0 ? null : `row ${at} stands before row ${at + 1}; rows without a value come last in both directions.`;
}

export function findUnfilteredRowProblems(
  { filters, columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
  { searchParam, timezone }: Pick<ObjectRowsRequest, "searchParam" | "timezone">,
): string[] {
  return filters.flatMap((filter) => {
    if (!Object.hasOwn(searchParam, filter.name)) return [];
    const values = [searchParam[filter.name]!].flat();
    const isShown = createFilterPredicate(filter, values, columns, timezone);
    if (isShown === null) return [];
    const at = rows.findIndex((row) => !isShown(row));
    return at < 0 ? [] : [`row ${at + 1} ${describeMiss(filter, values.join(", "))}.`];
  });
}

function describeMiss({ operator, columns }: Filter, values: string): string {
  const names = columns.join(" or ");
  switch (operator) {
    case "notIn":
      return `has ${names} of ${values}, which the filter excludes`;
    case "from":
      return `has ${names} before ${values}, or none`;
    case "to":
      return `has ${names} at or after ${values}, or none`;
    case "empty":
      return values === "true" ? `has a value of ${names}` : `has no value of ${names}`;
    default:
      return `does not have ${names} of ${values}`;
  }
}
