import type { SearchParam } from "../query/filters.ts";
import { parseFilters } from "../query/parse-filters.ts";
import type { SortKey } from "../query/sort-key.ts";
import type { ReportTypes } from "../report/types/define-report-types.ts";
import { readReportTypes } from "../report/types/read-report-types.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { ObjectRowsRequest } from "../report/types/row-source.ts";
import {
  countObjectRows,
  findAbortProblem,
  readObjectRows,
  type ObjectRowsResult,
  type ObjectRowsUnderTest,
} from "./read-object-rows.ts";
import { findUnsortedRow, findUnfilteredRows, readRowValues, rowsOfReport } from "./row-problems.ts";

/** Options of the check of report types. */
export interface ReportTypesCheck {
  /** Filters by report type, as a caller gives them. Object rows are read for each of these filters in every sort order. Default: no filters. */
  readonly searchParams?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** Time zone of the report. Default: `UTC`. */
  readonly timezone?: string;
  /** Number of rows to read each time. Default: 1,000. */
  readonly maxRows?: number;
  /** Time limit of each call of a source, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Validates report types as the API and the worker do at their start, and reads the rows of types with object rows. Checks that values fit the kinds
 * of their columns, that `count` agrees with the rows, that filters and sorts are honoured, and that rows end when the signal aborts. Rejects with
 * one Error that lists all problems. Does not read views: the worker compares them with their database.
 */
export async function checkReportTypes(types: ReportTypes, check: ReportTypesCheck = {}): Promise<void> {
  const problems = await findReportTypeProblems(types, check);
  if (problems.length > 0) throw new Error(`These report types have problems:\n- ${problems.join("\n- ")}`);
}

/** Checks report types as `checkReportTypes` does, and returns the problems as a list. */
export async function findReportTypeProblems(
  types: ReportTypes,
  check: ReportTypesCheck = {},
): Promise<readonly string[]> {
  const read = readReportTypes(types);
  if (!read.ok) return read.problems;
  const problems: string[] = [];
  for (const { definition } of read.reportTypes) {
    const { rows: source, type } = definition;
    if (source.kind !== "objects") continue;
    const { maxRows = 1_000, timeoutMs = 10_000, timezone = "UTC" } = check;
    const tested = { definition, source, maxRows, timeoutMs };
    for (const given of check.searchParams?.[type] ?? [{}]) {
      const filters = readFilters(definition, given);
      const found = typeof filters === "string" ? [filters] : await problemsOfObjects(tested, filters, timezone);
      problems.push(...found.map((problem) => `${type}: ${problem}`));
    }
  }
  return [...new Set(problems)];
}

function readFilters(
  { filters }: ReportTypeDefinition,
  given: Readonly<Record<string, unknown>>,
): SearchParam | string {
  const values = new Map(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]));
  const moment = { now: new Date(), timezone: "UTC" };
  const result = parseFilters(filters, values, (parameter) => ({ parameter }), moment);
  return result.ok ? result.filters : result.issues.map(({ message }) => `searchParams: ${message}`).join(" ");
}

async function problemsOfObjects(
  tested: ObjectRowsUnderTest,
  searchParam: SearchParam,
  timezone: string,
): Promise<string[]> {
  const { definition } = tested;
  const problems: string[] = [];
  const filters = { searchParam, timezone };
  for (const sort of sortsOf(definition)) {
    const request = { ...filters, sort };
    const inOrder = `sorted by ${nameOfSort(sort)}`;
    const given = await readObjectRows(tested, request).catch(describeFailure);
    if (typeof given === "string") {
      problems.push(`rows, ${inOrder}, ${given}.`);
      continue;
    }
    const values = readRowValues(definition, given.rows);
    problems.push(...values.problems.map((problem) => `rows: ${problem}`));
    problems.push(...findUnfilteredRows(definition, values.rows, searchParam).map((problem) => `rows: ${problem}`));
    const shown = rowsOfReport(definition, values.rows);
    const disorder = findUnsortedRow(definition, shown, sort);
    if (disorder !== null) problems.push(`rows, ${inOrder}: ${disorder}`);
    problems.push(...(await problemsOfCount(tested, request, given, shown.length)));
  }
  const request = { ...filters, sort: definition.defaultSort };
  const late = await findAbortProblem(tested, request).catch(describeFailure);
  return late === null ? problems : [...problems, `rows ${late}.`];
}

async function problemsOfCount(
  tested: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
  { isComplete }: ObjectRowsResult,
  rows: number,
): Promise<string[]> {
  const count = await countObjectRows(tested, request).catch(describeFailure);
  if (count === null) return [];
  if (typeof count === "string") return [`count ${count}.`];
  if (!Number.isSafeInteger(count) || count < 0) return [`count gave ${String(count)}, which is not a number of rows.`];
  const isRight = isComplete ? count === rows : count >= rows;
  return isRight ? [] : [`count gave ${count}, and there are ${rows} rows${isComplete ? "" : " or more"}.`];
}

/** Returns the sort orders to check: the default order, and each column in both directions. */
function sortsOf({ columns, defaultSort }: ReportTypeDefinition): readonly (readonly SortKey[])[] {
  const single = columns
    .filter(({ kind }) => kind !== "list")
    .flatMap(({ key }) => [[{ key, descending: false }], [{ key, descending: true }]]);
  return [defaultSort, ...single];
}

function nameOfSort(sort: readonly SortKey[]): string {
  return sort.map(({ key, descending }) => (descending ? `-${key}` : key)).join(", ") || "nothing";
}

function describeFailure(error: unknown): string {
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
