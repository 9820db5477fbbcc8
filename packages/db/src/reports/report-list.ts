import { reportListFilters, type Report, type ReportLists, type VisibleReports } from "@reports/core/report";
import { maxExactRecordCount, type CollectionPage, type CollectionQuery, type SearchParam } from "@reports/core/query";
import { and, eq, getTableColumns, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { containsTextSql } from "../relations/compile-filters.ts";
import {
  countListedRows,
  readListPage,
  type ListRangeConditions,
  type PagedListDefinition,
} from "../relations/list-page.ts";
import { maxPartitionCombinations, type ListPartition, type BoundedSearch } from "../relations/page-subquery.ts";
import {
  bindScalar,
  createRelationColumn,
  requireRelationColumn,
  type Relation,
  type RelationColumn,
  type SqlScalarType,
} from "../relations/relation.ts";
import { reportRecordColumns, toReport } from "./report-row.ts";
import { reports } from "../schema/reports.ts";
import { isVisibleReport } from "./visible-reports.ts";
import { createTableRelation } from "../relations/table-relation.ts";

/** Filters that have an index on the filter and the report type, the most selective first. */
const indexedFilters = ["scheduleId", "requestedBy", "format", "status"] as const;

/** Maximum number of titles compared, from the start of the list. A text that 0.7 % of the titles contain fills a page of 50. */
const maxScanned = 8_000;
const minScanned = 500;

interface TitleSearch {
  readonly visible: VisibleReports;
  readonly types: readonly string[];
  readonly filters: SearchParam;
  readonly query: Omit<CollectionQuery, "filters">;
}

interface DividedList {
  readonly relation: Relation;
  readonly parts: readonly ListPartition[];
  readonly ranges: ListRangeConditions | undefined;
  readonly rest: SearchParam;
}

export function createReportLists(lists: ListConnectionPool): ReportLists {
  return { list: (query, signal) => lists.read(async (queries) => listReports(queries, query), signal) };
}

/**
 * Reads a page of reports. Each type has its own range of an index, so a caller who sees only a rare type does not wait for other types:
 * docs/decisions/0087-lists-of-reports-know-their-filters.md.
 */
export async function listReports(
  queries: Queries,
  { visible, filters, ...query }: CollectionQuery & { readonly visible: VisibleReports },
): Promise<CollectionPage<Report>> {
  const { reportType, requestedBy, ...unbound } = filters;
  const types = restrictValues(visible.reportTypes, reportType) ?? [];
  const requesters = restrictValues(visible.requestedBy === null ? null : [visible.requestedBy], requestedBy);
  const others = requesters === null ? unbound : { ...unbound, requestedBy: requesters };
  if (types.length === 0 || requesters?.length === 0) return { items: [], next: null, total: query.count ? 0 : null };
  if (Object.hasOwn(others, "q")) return searchTitles(queries, { visible, types, filters: others, query });
  const { rest, ...source } = divide(types, others, query.sort);
  return readPage(queries, visible, source, { ...query, filters: rest });
}

/**
 * Searches the first rows of the list, which fill the page if the text is common. Otherwise uses the index of titles. So the cost does not depend
 * on Postgres's estimate of the matches, which for parts of texts is a guess.
 */
async function searchTitles(
  queries: Queries,
  { visible, types, filters: { q, ...others }, query }: TitleSearch,
): Promise<CollectionPage<Report>> {
  const { rest, ...source } = divide(types, others, query.sort);
  const combinations = source.parts.reduce((product, { values }) => product * values.length, 1);
  const scan: BoundedSearch = {
    rows: Math.max(Math.floor(maxScanned / combinations), minScanned),
    column: sql`${reports.title}`,
    matches: (title) => containsTextSql(title, String(q)),
  };
  const first = await readPage(queries, visible, { ...source, scan }, { ...query, filters: rest, count: false });
  const filters = { ...others, reportType: types, q: String(q) };
  const byFinish = query.sort[0]?.key === "finishedAt";
  const ranges = byFinish ? { ofValues: [hasEnded], ofNulls: [isOpen] } : { ofValues: [hasEnded, isOpen] };
  const whole = { relation: searchedRelation, ranges };
  const page =
    first.next === null ? await readPage(queries, visible, whole, { ...query, filters, count: false }) : first;
  if (!query.count) return page;
  const count = async (within: SQL): Promise<number> =>
    (await countListedRows(
      queries,
      { relation: searchedRelation, filters: reportListFilters, within },
      { filters, count: true },
    ))!;
  return { ...page, total: Math.min((await count(hasEnded)) + (await count(isOpen)), maxExactRecordCount + 1) };
}

// The index of titles contains only ended reports, because each progress update of a running report would write the index again.
const hasEnded = sql`${reports.finishedAt} is not null`;
const isOpen = sql`${reports.finishedAt} is null`;

async function readPage(
  queries: Queries,
  visible: VisibleReports,
  source: Pick<PagedListDefinition<unknown>, "relation" | "parts" | "ranges" | "scan">,
  query: CollectionQuery,
): Promise<CollectionPage<Report>> {
  const page = await readListPage(
    queries,
    {
      ...source,
      filters: reportListFilters,
      // The caller's filters are not part of `visible`, because a cursor stays valid if its record no longer matches them.
      visible: isVisibleReport(visible),
      rows: async ({ page: ids, id, orderBy, keyset }) =>
        queries
          .select({ row: reportRecordColumns, keyset })
          .from(reports)
          .innerJoin(ids, eq(reports.id, id))
          .orderBy(orderBy),
    },
    query,
  );
  return { ...page, items: page.items.map(toReport) };
}

/**
 * Divides a list by report types and indexed filters, as long as each combination of values gets its own plan. The first indexed filter always
 * divides it.
 */
function divide(types: readonly string[], filters: SearchParam, sort: CollectionQuery["sort"]): DividedList {
  const parts = [listPartOf("reportType", types)];
  const rest = { ...filters };
  let combinations = types.length;
  for (const name of indexedFilters.filter((key) => Object.hasOwn(filters, key))) {
    const part = listPartOf(name, textsOf(filters[name]!));
    combinations *= part.values.length;
    if (parts.length > 1 && combinations > maxPartitionCombinations) break;
    parts.push(part);
    delete rest[name];
  }
  const ofSchedule = Object.hasOwn(filters, "scheduleId");
  const ranges = sort[0]?.key === "finishedAt" && !ofSchedule ? finishedRanges(rest) : undefined;
  return { relation: ofSchedule ? scheduledRelation : reportsRelation, parts, ranges, rest };
}

function restrictValues(
  allowed: readonly string[] | null,
  filter: SearchParam[string] | undefined,
): readonly string[] | null {
  if (filter === undefined) return allowed;
  const wanted = textsOf(filter);
  return allowed === null ? wanted : allowed.filter((value) => wanted.includes(value));
}

function listPartOf(key: string, values: readonly string[]): ListPartition {
  const { expression, type } = requireRelationColumn(reportsRelation, key);
  return { expression, type: type as SqlScalarType, values: [...new Set(values)] };
}

function textsOf(value: SearchParam[string]): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

/**
 * Returns ranges of `finishedAt` that follow from the filters on `createdAt`, because no index has both columns. Nearly all reports finish within 24
 * hours of their creation. A separate index holds the others, such as those delayed by a long outage.
 */
function finishedRanges({ createdFrom, createdTo }: SearchParam): ListRangeConditions | undefined {
  if (createdFrom === undefined && createdTo === undefined) return undefined;
  const duration = sql`${reports.finishedAt} - ${reports.createdAt}`;
  const from = createdFrom === undefined ? [] : [sql`${reports.finishedAt} >= ${instant(createdFrom)}`];
  const to = createdTo === undefined ? [] : [sql`${reports.finishedAt} < ${instant(createdTo)} + interval '24 hours'`];
  const unusual = sql`${duration} not between interval '0' and interval '24 hours'`;
  const usual = and(sql`${duration} between interval '0' and interval '24 hours'`, ...from, ...to)!;
  return { ofValues: [unusual, usual] };
}

function instant(value: SearchParam[string]): SQL {
  return bindScalar(String(value), "timestamptz");
}

const allReportsRelation = createTableRelation(reports, getTableColumns(reports));

const reportsRelation: Relation = {
  ...allReportsRelation,
  active: sql`${allReportsRelation.active} and ${reports.fileOf} is null`,
  columns: {
    ...allReportsRelation.columns,
    format: createRelationColumn(sql`${reports.options} ->> 'format'`, "text"),
  },
};

/** The sort by `finishedAt` uses an expression that no index has. So Postgres reads only the reports of the schedule and sorts these. */
const scheduledRelation: Relation = {
  ...reportsRelation,
  columns: { ...reportsRelation.columns, finishedAt: withoutIndex(reports.finishedAt, { nullable: true }) },
};

/** The sorts by times use expressions that no index has. So Postgres reads only the reports with matching titles and sorts these. */
const searchedRelation: Relation = {
  ...scheduledRelation,
  columns: { ...scheduledRelation.columns, createdAt: withoutIndex(reports.createdAt, { nullable: false }) },
};

function withoutIndex(time: SQLWrapper, { nullable }: { readonly nullable: boolean }): RelationColumn {
  const order = { expression: sql`(${time} + interval '0')`, type: "timestamptz" } as const;
  return createRelationColumn(time, "timestamptz", { nullable, order });
}
