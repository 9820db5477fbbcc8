import type { SearchParam } from "../query/filters.ts";
import { parseFilters } from "../query/parse-filters.ts";
import type { SortKey } from "../query/sort-key.ts";
import type { ReportTypes } from "../report/types/define-report-types.ts";
import { readReportTypes } from "../report/types/read-report-types.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { ObjectRowsRequest, RowsRequester } from "../report/types/row-source.ts";
import {
  countObjectRows,
  findAbortProblem,
  readObjectRows,
  type ObjectRowsResult,
  type ObjectRowsUnderTest,
} from "./read-object-rows.ts";
import { defaultLanguage } from "../report/types/language.ts";
import type { RowWithCells } from "../report/types/row-order.ts";
import {
  findUnsortedRowProblem,
  findUnfilteredRowProblems,
  readRowValues,
  applyFixedConditions,
} from "./row-problems.ts";

const defaultRequester: RowsRequester = { id: "basic:check", name: null };

/** Options of the check of report types. */
export interface ReportTypesCheck {
  /**
   * Filters by report type, as a caller gives them. The check reads and counts object rows once per set of filters. For the first set, it also
   * reads both directions of each column (at most 20 columns). In addition, it reads up to three times with a limit, and once with an abort.
   * Default: no filters.
   */
  readonly searchParams?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** Time zone of the report. Default: `UTC`. */
  readonly timezone?: string;
  /** Principal that receives the rows. Default: `{ id: "basic:check", name: null }`. */
  readonly requester?: RowsRequester;
  /** Largest number of rows per read. Default: 1,000. */
  readonly maxRows?: number;
  /** Time limit of each call of a source, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Validates report types as the API and the worker do at their start, and reads the rows of types with object rows. Checks that values fit the kinds
 * of their columns, that `count` agrees with the rows, and that filters and sorts are honoured. Also checks that a limit keeps the first rows, and that
 * rows end when the signal aborts. Rejects with one Error that lists all problems. Does not read views: the worker compares them with their database.
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
    const { maxRows = 1_000, timeoutMs = 10_000, timezone = "UTC", requester = defaultRequester } = check;
    const tested = { definition, source, maxRows, timeoutMs };
    const context: Omit<ObjectRowsRequest, "searchParam" | "sort" | "signal"> = {
      columns: definition.columns.map(({ key }) => key),
      limit: null,
      timezone,
      locale: defaultLanguage,
      language: defaultLanguage,
      requester,
    };
    let isFirst = true;
    for (const given of check.searchParams?.[type] ?? [{}]) {
      const filters = readFilters(definition, given, timezone);
      const found =
        typeof filters === "string"
          ? [filters]
          : await problemsOfObjects(tested, { ...context, searchParam: filters }, isFirst);
      if (typeof filters !== "string") isFirst = false;
      problems.push(...found.map((problem) => `${type}: ${problem}`));
    }
  }
  return [...new Set(problems)];
}

function readFilters(
  { filters }: ReportTypeDefinition,
  given: Readonly<Record<string, unknown>>,
  timezone: string,
): SearchParam | string {
  const values = new Map(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]));
  const moment = { now: new Date(), timezone };
  const result = parseFilters(filters, values, (parameter) => ({ parameter }), moment);
  return result.ok ? result.filters : result.issues.map(({ message }) => `searchParams: ${message}`).join(" ");
}

async function problemsOfObjects(
  tested: ObjectRowsUnderTest,
  filtered: Omit<ObjectRowsRequest, "signal" | "sort">,
  isThorough: boolean,
): Promise<string[]> {
  const { definition } = tested;
  const { defaultSort } = definition;
  const problems: string[] = [];
  for (const sort of [defaultSort, ...(isThorough ? otherSortsOf(definition) : [])]) {
    const request = { ...filtered, sort };
    const inOrder = `sorted by ${nameOfSort(sort)}`;
    const given = await readObjectRows(tested, request).catch(describeFailure);
    if (typeof given === "string") {
      problems.push(endSentence(`rows, ${inOrder}, ${given}`));
      // If the read in the default order fails, the check stops. A source that is down would let each further read wait for its time limit.
      if (sort === defaultSort) return problems;
      continue;
    }
    const values = readRowValues(definition, given.rows, filtered.timezone);
    problems.push(...values.problems.map((problem) => `rows: ${problem}`));
    problems.push(...findUnfilteredRowProblems(definition, values.rows, filtered).map((problem) => `rows: ${problem}`));
    const shown = applyFixedConditions(definition, values.rows);
    const disorder = findUnsortedRowProblem(definition, shown, sort);
    if (disorder !== null) problems.push(`rows, ${inOrder}: ${disorder}`);
    if (sort === defaultSort) problems.push(...(await findCountProblems(tested, request, given, shown.length)));
    // The limit is checked in both directions of the first column. A source that cuts before it sorts can be right in one direction by chance.
    if (!isThorough || sort[0]?.key !== defaultSort[0]?.key) continue;
    const short = await findLimitProblem(tested, request, values.rows).catch(describeFailure);
    if (short !== null) problems.push(endSentence(`rows, ${inOrder}, ${short}`));
  }
  if (!isThorough) return problems;
  const late = await findAbortProblem(tested, { ...filtered, sort: defaultSort }).catch(describeFailure);
  return late === null ? problems : [...problems, endSentence(`rows ${late}`)];
}

const checkedLimit = 3;

/**
 * Reads at most three rows with a limit and only the first sort column. Returns null if they are the first of all rows; else a description of the
 * difference.
 */
async function findLimitProblem(
  tested: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
  all: readonly RowWithCells[],
): Promise<string | null> {
  const key = request.sort[0]?.key;
  const wanted = Math.min(checkedLimit, all.length);
  if (key === undefined || wanted === 0 || tested.definition.where.length > 0) return null;
  const { rows } = await readObjectRows({ ...tested, maxRows: wanted }, { ...request, columns: [key], limit: wanted });
  const first = readRowValues(tested.definition, rows, request.timezone).rows.slice(0, wanted);
  const isEqual = first.length === wanted && first.every((row, at) => row.cell(key) === all[at]!.cell(key));
  return isEqual
    ? null
    : `with limit ${wanted} and the column ${key}: the rows are not the first ${wanted} of all rows`;
}

async function findCountProblems(
  tested: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
  { isComplete }: ObjectRowsResult,
  rows: number,
): Promise<string[]> {
  const count = await countObjectRows(tested, request).catch(describeFailure);
  if (count === null) return [];
  if (typeof count === "string") return [endSentence(`count ${count}`)];
  if (!Number.isSafeInteger(count) || count < 0) return [`count gave ${String(count)}, which is not a number of rows.`];
  const isRight = isComplete ? count === rows : count >= rows;
  return isRight ? [] : [`count gave ${count}, and there are ${rows} rows${isComplete ? "" : " or more"}.`];
}

/** Limits the number of columns by which rows are sorted, so that the check of a slow source with many columns ends in time. */
const maxSortedColumns = 20;

function otherSortsOf({ columns, defaultSort }: ReportTypeDefinition): readonly (readonly SortKey[])[] {
  return columns
    .filter(({ kind }) => kind !== "list")
    .slice(0, maxSortedColumns)
    .flatMap(({ key }) => [[{ key, descending: false }], [{ key, descending: true }]])
    .filter((sort) => nameOfSort(sort) !== nameOfSort(defaultSort));
}

function nameOfSort(sort: readonly SortKey[]): string {
  return sort.map(({ key, descending }) => (descending ? `-${key}` : key)).join(", ") || "nothing";
}

function describeFailure(error: unknown): string {
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}

function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return [".", "!", "?", "\u2026"].some((end) => trimmed.endsWith(end)) ? trimmed : `${trimmed}.`;
}
