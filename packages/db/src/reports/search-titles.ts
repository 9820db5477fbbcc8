import { reportListFilters, type Report, type VisibleReports } from "@reports/core/report";
import {
  maxExactRecordCount,
  type CollectionPage,
  type CollectionQuery,
  type KeysetPosition,
  type SearchParam,
} from "@reports/core/query";
import { and, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { compileFilters, containsTextSql } from "../relations/compile-filters.ts";
import {
  countListedRows,
  mapInvalidCursorError,
  readListPage,
  type ListRangeConditions,
  type PagedListDefinition,
} from "../relations/list-page.ts";
import type { BoundedSearch } from "../relations/page-subquery.ts";
import { resolveCursorPosition } from "../relations/resolve-cursor-position.ts";
import { reports } from "../schema/reports.ts";
import {
  divide,
  indexedFilters,
  hasUnusualDuration,
  hasUsualDuration,
  instant,
  readPage,
  reportsRelation,
  searchedRelation,
} from "./report-list-page.ts";
import { isVisibleReport } from "./visible-reports.ts";

export interface SearchLimits {
  /** Maximum number of titles compared, from the start of the list. A text that 5 % of the titles contain fills a page of 50. */
  readonly scannedRows: number;
  /** Maximum number in a list by creation, where an index of each filter has this order. A text that 2.5 % of the titles contain fills a page of 50. */
  readonly createdScannedRows: number;
  /** In a list that is neither short nor long, 0.8 % of the titles are compared, but not fewer than this number. */
  readonly leastScannedRows: number;
  /** Lists with fewer reports, as estimated by Postgres, are short. */
  readonly shortListRows: number;
  /** Maximum number of titles compared in a short list, so that usually all are, and in a list of all reports by creation. */
  readonly maxScannedRows: number;
  /** Lists with at least as many reports, as estimated by Postgres, are searched in a window first. */
  readonly longListRows: number;
  /** Number of reports in the window. A text that 0.5 % of the titles contain fills a page of 50. */
  readonly windowRows: number;
}

const defaultLimits: SearchLimits = {
  scannedRows: 1_000,
  createdScannedRows: 2_000,
  leastScannedRows: 100,
  shortListRows: 5_000,
  maxScannedRows: 8_000,
  longListRows: 50_000,
  windowRows: 10_000,
};
/** In a list of several types or values, fewer titles are compared, but at least this number. */
const minScannedRows = 500;
/** Maximum number of estimates of a window's rows. */
const windowEstimates = 3;

export interface TitleSearch {
  readonly visible: VisibleReports;
  readonly types: readonly string[];
  readonly filters: SearchParam;
  readonly query: Omit<CollectionQuery, "filters">;
  readonly limits?: SearchLimits | undefined;
}

/** A search whose cursor is resolved. */
interface PositionedSearch extends TitleSearch {
  readonly query: PositionedQuery;
}

type PositionedQuery = TitleSearch["query"] & { readonly after: KeysetPosition | null };

/**
 * Searches the first reports of the list, then a window of it, then all. A common text fills the page early, and a rare one has few matches. So the
 * cost does not depend on Postgres's estimate of the matches, which for parts of texts is a guess:
 * docs/decisions/0087-lists-of-reports-know-their-filters.md.
 */
export async function searchTitles(queries: Queries, search: TitleSearch): Promise<CollectionPage<Report>> {
  const { visible, types, query, filters } = search;
  const { q, ...others } = filters;
  const scope = { relation: reportsRelation, visible: isVisibleReport(visible) };
  const after = await mapInvalidCursorError(resolveCursorPosition(queries, scope, query), query.after);
  const within = { ...search, filters: others, query: { ...query, after, count: false } };
  const page = await readMatches(queries, within, String(q));
  if (!query.count) return page;
  const given = { ...filters, reportType: types };
  const count = async (range: SQL): Promise<number> => {
    const counted = { relation: searchedRelation, filters: reportListFilters, within: range };
    return (await countListedRows(queries, counted, { filters: given, count: true }))!;
  };
  const total = (await count(and(isActive, hasEnded)!)) + (await count(and(isActive, isOpen)!));
  return { ...page, total: Math.min(total, maxExactRecordCount + 1) };
}

async function readMatches(queries: Queries, search: PositionedSearch, text: string): Promise<CollectionPage<Report>> {
  const { visible, types, filters, query, limits = defaultLimits } = search;
  const listed = await estimateRows(queries, search);
  const { rest, ...list } = divide(types, filters, query.sort);
  const combinations = list.parts.reduce((product, { values }) => product * values.length, 1);
  const scan = createScan(search, { listed, combinations, text });
  const first = await readPage(queries, visible, { ...list, scan }, { ...query, filters: rest });
  if (first.next !== null) return first;
  if (listed < limits.shortListRows) {
    // In a list of less than half the scan, the scan has compared all titles, even if reports were removed after it.
    const positions = readPositions(queries, list, { ...query, filters: rest }, Math.ceil(scan.rows / 2));
    if ((await positions) === null) return first;
  }
  const read = async (ranges: ListRangeConditions): Promise<CollectionPage<Report>> => {
    const given = { ...filters, reportType: types };
    return readPage(queries, visible, { relation: searchedRelation, ranges }, { ...query, filters: given });
  };
  // Postgres does not know the text when it plans. So it combines the index of titles with another one for every text, and the titles of hidden reports
  // cannot change the plan.
  const matches = containsTextSql(sql`${reports.title}`, text);
  const isLong = listed >= limits.longListRows;
  const hasScannedMany = isLong && isByCreationOnly(search);
  const window = isLong && !hasScannedMany ? await findWindow(queries, search) : null;
  if (window !== null) {
    const found = await read(rangesOfWindow(query, window, matches));
    if (found.next !== null) return found;
  }
  // After a search of the window or of many reports, few titles match, so Postgres should use only the index of titles.
  const ended = and(window !== null || hasScannedMany ? undefined : isActive, hasEnded, matches)!;
  const open = and(isActive, isOpen, matches)!;
  return read(isByFinish(query) ? { ofValues: [ended], ofNulls: [open] } : { ofValues: [ended, open] });
}

function createScan(
  search: PositionedSearch,
  { listed, combinations, text }: { readonly listed: number; readonly combinations: number; readonly text: string },
): BoundedSearch {
  const { filters, query, limits = defaultLimits } = search;
  const isShort = listed < limits.shortListRows;
  // The reports of one status can be far from the start of the list of all. Those of a schedule are sorted before the scan.
  const keysFirst = !isShort && ["status", "scheduleId"].some((name) => Object.hasOwn(filters, name));
  // Without an index for the filter and the sort, Postgres passes reports of other lists. With 0.8 % of the list, it passes 0.8 % of all reports.
  const share = Math.min(Math.max(Math.floor(listed * 0.008), limits.leastScannedRows), limits.scannedRows);
  const adjacent = listed >= limits.longListRows && isByCreationOnly(search);
  const byCreation = adjacent ? limits.maxScannedRows : limits.createdScannedRows;
  const most = isByFinish(query) || keysFirst ? share : byCreation;
  const rows = isShort
    ? limits.maxScannedRows
    : Math.max(Math.floor(most / combinations), Math.min(most, minScannedRows));
  return { rows, column: sql`${reports.title}`, keysFirst, matches: (title) => containsTextSql(title, text) };
}

/** Reports whether the list is of all reports by creation. These are next to each other in the table, so comparing their titles is cheap. */
function isByCreationOnly({ filters, query }: PositionedSearch): boolean {
  return !isByFinish(query) && !indexedFilters.some((name) => Object.hasOwn(filters, name));
}

/**
 * Returns a time so that about `windowRows` reports of the list are before it (after it, if the sort is descending). Any time gives correct results, so
 * Postgres's estimates suffice. Returns null if none was found.
 */
async function findWindow(queries: Queries, search: PositionedSearch): Promise<Date | null> {
  const { types, filters, query, limits = defaultLimits } = search;
  const { leastScannedRows, windowRows } = limits;
  const { rest, ...list } = divide(types, filters, query.sort);
  const positions = await readPositions(queries, list, { ...query, filters: rest }, leastScannedRows);
  if (positions === null) return null;
  const [first, last] = positions.map(([time]) => Date.parse(String(time)));
  // The rate of reports varies, so the first guess is corrected by Postgres's estimate of the reports in the window.
  let length = ((last! - first!) * windowRows) / leastScannedRows;
  for (let round = 0; round < windowEstimates; round++) {
    const window = new Date(first! + length);
    // The year of an invalid date is not a number, so it meets no comparison.
    if (!(window.getUTCFullYear() > 0 && window.getUTCFullYear() < 10_000)) return null;
    const rows = await estimateRows(queries, search, createdWithin(query, window));
    if (rows < 4 * windowRows && (rows > windowRows / 2 || round === windowEstimates - 1)) return window;
    length *= Math.min(windowRows / rows, 100);
  }
  return null;
}

/** Returns a condition on the creation of nearly all reports of the window, because each index of a filter has the time of creation. */
function createdWithin(query: PositionedQuery, window: Date): SQL {
  return isWithin(reports.createdAt, query, window, isByFinish(query) ? sql`interval '24 hours'` : sql`interval '0'`);
}

function rangesOfWindow(query: PositionedQuery, window: Date, matches: SQL): ListRangeConditions {
  const created = createdWithin(query, window);
  if (!isByFinish(query))
    return { ofValues: [and(isActive, hasEnded, matches, created)!, and(isActive, isOpen, matches, created)!] };
  const finished = and(isActive, hasEnded, matches, isWithin(reports.finishedAt, query, window, sql`interval '0'`));
  return { ofValues: [and(finished, created, hasUsualDuration)!, and(finished, hasUnusualDuration)!], ofNulls: [] };
}

/** Returns the condition that a time is between the cursor and the end of the window. It may be earlier by `slack`. */
function isWithin(time: SQLWrapper, { sort, after }: PositionedQuery, window: Date, slack: SQL): SQL {
  const end = instant(window.toISOString());
  const start = after === null ? undefined : instant(String(after[0]));
  const [earliest, latest] = sort[0]!.descending ? [end, start] : [start, end];
  const from = earliest && sql`${time} >= ${earliest} - ${slack}`;
  return and(from, latest && sql`${time} <= ${latest}`)!;
}

/** Returns the positions of a list's first row and of a later one by its number, which counts from 1. Returns null if the list has fewer rows. */
async function readPositions(
  queries: Queries,
  list: Pick<PagedListDefinition<unknown>, "relation" | "parts" | "ranges">,
  query: CollectionQuery,
  number: number,
): Promise<readonly [KeysetPosition, KeysetPosition] | null> {
  const numbered = (page: SQL): SQL => sql`(select *, row_number() over () as number from ${page}) page`;
  const { items } = await readListPage(
    queries,
    {
      ...list,
      filters: reportListFilters,
      merged: true,
      rows: async ({ page, orderBy, keyset }) =>
        queries
          .select({ row: keyset, keyset })
          .from(numbered(page))
          .where(sql`number in (1, ${number})`)
          .orderBy(orderBy),
    },
    { ...query, limit: number - 1 },
  );
  const [first, last] = items;
  return first === undefined || last === undefined ? null : [first, last];
}

function isByFinish({ sort }: Pick<PositionedQuery, "sort">): boolean {
  return sort[0]?.key === "finishedAt";
}

/** Returns Postgres's estimate of the reports that match filters other than the title. */
async function estimateRows(queries: Queries, { types, filters }: TitleSearch, window?: SQL): Promise<number> {
  const given = compileFilters(reportsRelation, reportListFilters, { ...filters, reportType: types });
  const where = and(given, window);
  const [row] = await queries.execute(sql`explain (format json) select from ${reportsRelation.from} where ${where}`);
  return (row!["QUERY PLAN"] as [{ readonly Plan: { readonly "Plan Rows": number } }])[0].Plan["Plan Rows"];
}

const isActive = sql`${reports.deletedAt} is null`;
// The index of titles contains only ended reports, because each progress update of a running report would write the index again. Its condition is one
// expression. Postgres combines no indexes that share a condition, and the indexes of lists have `deleted_at is null`.
const hasEnded = sql`(case when ${reports.deletedAt} is null then ${reports.finishedAt} end) is not null`;
const isOpen = sql`${reports.finishedAt} is null`;
