import type { Filter } from "../../query/filters.ts";
import type { ReportColumn } from "./column.ts";
import { createFilterPredicate, type RowPredicate } from "./filter-predicate.ts";
import { createObjectRowReader, type ObjectRowCells } from "./object-reader.ts";
import { createRowComparator } from "./row-order.ts";
import type { ObjectRow, ObjectRowsRequest } from "./row-source.ts";

/** Columns and filters of a type, for functions that select rows in memory. */
export interface RowsInMemory {
  readonly columns: readonly Pick<ReportColumn, "key" | "kind">[];
  readonly filters?: readonly Pick<Filter, "name" | "operator" | "value" | "columns">[];
  /** Key of the column that orders rows which are equal in the sort, in the direction of the last sort key. Default: such rows keep their order. */
  readonly id?: string;
}

/**
 * Returns the rows that meet the filters of a request, as a database would select them. Throws an Error for a filter whose columns are not columns of
 * the type. Leave such filters out of `filters`, and apply them yourself. Throws PermanentReportError for a value that does not fit its column.
 */
export function filterRows<Row extends ObjectRow>(
  rows: Iterable<Row>,
  type: RowsInMemory,
  request: Pick<ObjectRowsRequest, "searchParam" | "timezone">,
): Row[] {
  const tests = rowTests(type, request);
  const keys = new Set(usedFilters(type, request).flatMap(({ columns }) => columns));
  const read = createReader(type, keys, request.timezone);
  return [...rows].filter((row) => {
    const cells = read(row);
    return tests.every((test) => test(cells));
  });
}

/**
 * Returns the rows in the order of a request: rows without a value last in both directions, texts by code points. A database with the collation `C`
 * returns the same order. Throws PermanentReportError for a value that does not fit its column.
 */
export function sortRows<Row extends ObjectRow>(
  rows: Iterable<Row>,
  type: RowsInMemory,
  { sort, timezone }: Pick<ObjectRowsRequest, "sort" | "timezone">,
): Row[] {
  const { columns, id } = type;
  const descending = sort.at(-1)?.descending ?? false;
  const whole = id === undefined ? sort : [...sort, { key: id, descending }];
  const read = createReader(type, new Set(whole.map(({ key }) => key)), timezone);
  const compare = createRowComparator(whole, columns);
  return [...rows]
    .map((row): [Row, ObjectRowCells] => [row, read(row)])
    .sort(([, a], [, b]) => compare(a, b))
    .map(([row]) => row);
}

/** Returns the rows of a request: filtered, sorted, and at most `limit`. Throws as filterRows and sortRows do. */
export function selectRows<Row extends ObjectRow>(
  rows: Iterable<Row>,
  type: RowsInMemory,
  request: Pick<ObjectRowsRequest, "searchParam" | "sort" | "timezone" | "limit">,
): Row[] {
  return sortRows(filterRows(rows, type, request), type, request).slice(0, request.limit ?? undefined);
}

function usedFilters({ filters = [] }: RowsInMemory, { searchParam }: Pick<ObjectRowsRequest, "searchParam">) {
  return filters.filter(({ name }) => Object.hasOwn(searchParam, name));
}

function rowTests(type: RowsInMemory, request: Pick<ObjectRowsRequest, "searchParam" | "timezone">): RowPredicate[] {
  return usedFilters(type, request).map((filter) => {
    const values = [request.searchParam[filter.name]!].flat();
    const test = createFilterPredicate(filter, values, type.columns, request.timezone);
    if (test !== null) return test;
    throw new Error(
      `The filter ${filter.name} cannot be applied to rows in memory, because its columns do not take its values. Apply it yourself.`,
    );
  });
}

function createReader({ columns }: RowsInMemory, keys: ReadonlySet<string>, timezone: string) {
  const used = columns.filter(({ key }) => keys.has(key));
  return createObjectRowReader(used, timezone);
}
