import { reportFilters, type Report, type ReportLists, type VisibleReports } from "@reports/core/report";
import type { CollectionPage, CollectionQuery, SearchParam } from "@reports/core/query";
import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import type { ListDatabase } from "../database/list-database.ts";
import { listPage } from "../relations/list-page.ts";
import { maxPlanned, type ListPart } from "../relations/page-statement.ts";
import { bind, columnOf, type ScalarType, column, type Relation } from "../relations/relation.ts";
import { reportColumns, toReport } from "./report-row.ts";
import { reports } from "../schema/reports.ts";
import { isVisibleReport } from "./visible-reports.ts";
import { tableRelation } from "../relations/table-relation.ts";

/** Filters that have an index with the filter and the report type as its first columns. The most selective filter comes first. */
const indexedFilters = ["scheduleId", "requestedBy", "format", "status"] as const;

export function createReportLists(lists: ListDatabase): ReportLists {
  return { list: (query, signal) => lists.read(async (queries) => listReports(queries, query), signal) };
}

/**
 * Reads a page of reports. Each report type is read from its own index range, so that a caller who may see only a rare type does not wait
 * for other types. docs/decisions/0087-lists-of-reports-know-their-filters.md.
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
  const { parts, rest } = divide(types, others);
  const ofSchedule = Object.hasOwn(others, "scheduleId");
  const page = await listPage(
    queries,
    {
      relation: ofSchedule ? scheduledRelation : reportsRelation,
      filters: reportFilters,
      parts,
      ranges: query.sort[0]?.key === "finishedAt" && !ofSchedule ? finishedRanges(rest) : [],
      // Without the caller's filters, because a report that no longer matches them still marks a position.
      visible: isVisibleReport(visible),
      rows: async ({ page: ids, id, orderBy, keyset }) =>
        queries
          .select({ row: reportColumns, keyset })
          .from(reports)
          .innerJoin(ids, eq(reports.id, id))
          .orderBy(orderBy),
    },
    { ...query, filters: rest },
  );
  return { ...page, items: page.items.map(toReport) };
}

/** Returns the parts of a list, and the filters that remain conditions. Filters divide the list while each combination can be planned, but at least one does. */
function divide(
  types: readonly string[],
  filters: SearchParam,
): { readonly parts: readonly ListPart[]; readonly rest: SearchParam } {
  const parts = [listPartOf("reportType", types)];
  const rest = { ...filters };
  let combinations = types.length;
  for (const name of indexedFilters.filter((key) => Object.hasOwn(filters, key))) {
    const part = listPartOf(name, textsOf(filters[name]!));
    combinations *= part.values.length;
    if (parts.length > 1 && combinations > maxPlanned) break;
    parts.push(part);
    delete rest[name];
  }
  return { parts, rest };
}

/** Returns the allowed values that a filter selects. As `allowed`, null means all values. */
function restrictValues(
  allowed: readonly string[] | null,
  filter: SearchParam[string] | undefined,
): readonly string[] | null {
  if (filter === undefined) return allowed;
  const wanted = textsOf(filter);
  return allowed === null ? wanted : allowed.filter((value) => wanted.includes(value));
}

function listPartOf(key: string, values: readonly string[]): ListPart {
  const { expression, type } = columnOf(reportsRelation, key);
  // No filter divides by a column of lists.
  return { expression, type: type as ScalarType, values: [...new Set(values)] };
}

function textsOf(value: SearchParam[string]): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

/**
 * Returns the ranges of `finishedAt` that follow from the filters by `createdAt`, because no index has both. Nearly all reports finish within a
 * day of their creation. The others have a separate index (after a long outage or a jump of the clock).
 */
function finishedRanges({ createdFrom, createdTo }: SearchParam): readonly SQL[] {
  if (createdFrom === undefined && createdTo === undefined) return [];
  const duration = sql`${reports.finishedAt} - ${reports.createdAt}`;
  const from = createdFrom === undefined ? [] : [sql`${reports.finishedAt} >= ${instant(createdFrom)}`];
  const to = createdTo === undefined ? [] : [sql`${reports.finishedAt} < ${instant(createdTo)} + interval '24 hours'`];
  return [
    sql`${duration} not between interval '0' and interval '24 hours'`,
    and(sql`${duration} between interval '0' and interval '24 hours'`, ...from, ...to)!,
  ];
}

function instant(value: SearchParam[string]): SQL {
  return bind(String(value), "timestamptz");
}

const allReportsRelation = tableRelation(reports, getTableColumns(reports));

/** One row per report that is not deleted. Additional formats are excluded. */
const reportsRelation: Relation = {
  ...allReportsRelation,
  active: sql`${allReportsRelation.active} and ${reports.fileOf} is null`,
  columns: { ...allReportsRelation.columns, format: column(sql`${reports.options} ->> 'format'`, "text") },
};

/** The same with an expression of `finishedAt` that no index has. Postgres then reads the reports of the schedule, and not all reports in this order. */
const scheduledRelation: Relation = {
  ...reportsRelation,
  columns: {
    ...reportsRelation.columns,
    finishedAt: column(sql`(${reports.finishedAt} + interval '0')`, "timestamptz", { nullable: true }),
  },
};
