import { reportFilters, type Report, type ReportLists, type VisibleReports } from "@reports/core/report";
import type { CollectionPage, CollectionQuery, SearchParam } from "@reports/core/query";
import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import type { ListDatabase } from "../database/list-database.ts";
import { listPage } from "../relations/list-page.ts";
import type { ListPart } from "../relations/page-statement.ts";
import { columnOf, type ScalarType, column, type Relation } from "../relations/relation.ts";
import { reportColumns, toReport } from "./report-row.ts";
import { reports } from "../schema/reports.ts";
import { isVisibleReport } from "./visible-reports.ts";
import { tableRelation } from "../relations/table-relation.ts";

/** Filters that have an index with the filter and the report type as its first columns. The most selective filter comes first. */
const indexedFilters = ["scheduleId", "requestedBy", "format", "status"] as const;

export function createReportLists(lists: ListDatabase): ReportLists {
  return { list: (query, signal) => lists.read(async (queries) => listReports(queries, query), signal) };
}

/** Reads a page of reports. Each report type is read from its own index range, so that a caller who may see only a rare type does not wait for other types. */
export async function listReports(
  queries: Queries,
  { visible, filters, ...query }: CollectionQuery & { readonly visible: VisibleReports },
): Promise<CollectionPage<Report>> {
  const { reportType, requestedBy, ...unbound } = filters;
  const types = restrictValues(visible.reportTypes, reportType) ?? [];
  const requesters = restrictValues(visible.requestedBy === null ? null : [visible.requestedBy], requestedBy);
  const others = requesters === null ? unbound : { ...unbound, requestedBy: requesters };
  if (types.length === 0 || requesters?.length === 0) return { items: [], next: null, total: query.count ? 0 : null };
  const leading = indexedFilters.find((name) => Object.hasOwn(others, name));
  const parts = [listPartOf("reportType", "text", types)];
  if (leading !== undefined)
    parts.push(listPartOf(leading, leading === "scheduleId" ? "uuid" : "text", textsOf(others[leading]!)));
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => name !== leading));
  const page = await listPage(
    queries,
    {
      relation: reportsRelation,
      filters: reportFilters,
      parts,
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

/** Returns the allowed values that a filter selects. As `allowed`, null means all values. */
function restrictValues(
  allowed: readonly string[] | null,
  filter: SearchParam[string] | undefined,
): readonly string[] | null {
  if (filter === undefined) return allowed;
  const wanted = textsOf(filter);
  return allowed === null ? wanted : allowed.filter((value) => wanted.includes(value));
}

function listPartOf(key: string, type: ScalarType, values: readonly string[]): ListPart {
  return { expression: columnOf(reportsRelation, key).expression, type, values: [...new Set(values)] };
}

function textsOf(value: SearchParam[string]): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

const allReportsRelation = tableRelation(reports, getTableColumns(reports));

/** One row per report that is not deleted. Additional formats are excluded. */
const reportsRelation: Relation = {
  ...allReportsRelation,
  active: sql`${allReportsRelation.active} and ${reports.fileOf} is null`,
  columns: { ...allReportsRelation.columns, format: column(sql`${reports.options} ->> 'format'`, "text") },
};
