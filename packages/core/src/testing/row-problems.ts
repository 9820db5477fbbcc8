import type { Filter, SearchParam } from "../query/filters.ts";
import type { SortKey } from "../query/sort-key.ts";
import { createCellTest } from "../report/types/cell-condition.ts";
import { describeValue, readObjectCell, type ObjectCell } from "../report/types/object-cell.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { ObjectRow } from "../report/types/row-source.ts";
import { createRowOrder, type RowWithCells } from "../report/types/row-order.ts";

export interface RowValuesResult {
  readonly rows: readonly RowWithCells[];
  readonly problems: readonly string[];
}

/** Reads rows by the kinds of their columns. Returns at most one problem per column, and per unknown key. */
export function readRowValues({ columns }: ReportTypeDefinition, given: readonly ObjectRow[]): RowValuesResult {
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
      const cell = readObjectCell(column, row, "UTC");
      if (cell === undefined)
        report(
          column.key,
          `row ${at + 1}: ${column.key} is ${describeValue(row[column.key])} that is not a valid ${column.kind}.`,
        );
      cells.set(column.key, cell ?? null);
    }
    return [{ row, cell: (key) => cells.get(key) ?? null }];
  });
  return { rows, problems: [...problems.values()] };
}

export function rowsOfReport(
  { where, columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
): readonly RowWithCells[] {
  const tests = where.map((condition) => {
    const kind = columns.find(({ key }) => key === condition.column)?.kind ?? "text";
    const meets = createCellTest(condition, kind);
    return (row: RowWithCells): boolean => meets(row.cell(condition.column));
  });
  return rows.filter((row) => tests.every((test) => test(row)));
}

/** Describes the first row that is out of order; returns null if there is none. */
export function findUnsortedRow(
  { columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
  sort: readonly SortKey[],
): string | null {
  const compare = createRowOrder(sort, columns);
  const at = rows.findIndex((row, index) => index > 0 && compare(rows[index - 1]!, row) > 0);
  return at < 0 ? null : `row ${at} stands before row ${at + 1}; rows without a value come last in both directions.`;
}

/** Describes, for each filter, the first row that it should have excluded. Checks only filters by equality on columns of the report. */
export function findUnfilteredRows(
  { filters, columns }: ReportTypeDefinition,
  rows: readonly RowWithCells[],
  searchParam: SearchParam,
): string[] {
  return filters.flatMap((filter) => {
    const values = searchParam[filter.name];
    if (!Array.isArray(values) || !isByEquality(filter)) return [];
    const tests = filter.columns.flatMap((key) => {
      const kind = columns.find((column) => column.key === key)?.kind;
      return kind === undefined ? [] : [{ key, meets: createCellTest({ column: key, in: values.map(String) }, kind) }];
    });
    if (tests.length < filter.columns.length || tests.length === 0) return [];
    const at = rows.findIndex((row) => !tests.some(({ key, meets }) => meets(row.cell(key))));
    return at < 0 ? [] : [`row ${at + 1} does not have ${filter.columns.join(" or ")} of ${values.join(", ")}.`];
  });
}

function isByEquality({ operator, value }: Filter): boolean {
  return (operator === "in" && value !== "timestamp") || operator === "has";
}
