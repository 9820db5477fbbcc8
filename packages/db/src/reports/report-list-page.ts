import { reportListFilters, type Report, type VisibleReports } from "@reports/core/report";
import type { CollectionPage, CollectionQuery, SearchParam } from "@reports/core/query";
import { and, eq, getTableColumns, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { readListPage, type ListRangeConditions, type PagedListDefinition } from "../relations/list-page.ts";
import { maxPartitionCombinations, type ListPartition } from "../relations/page-subquery.ts";
import {
  bindScalar,
  createRelationColumn,
  requireRelationColumn,
  type Relation,
  type RelationColumn,
  type SqlScalarType,
} from "../relations/relation.ts";
import { createTableRelation } from "../relations/table-relation.ts";
import { reports } from "../schema/reports.ts";
import { reportRecordColumns, toReport } from "./report-row.ts";
import { isVisibleReport } from "./visible-reports.ts";

/** Filters that have an index on the filter and the report type, the most selective first. */
export const indexedFilters = ["scheduleId", "requestedBy", "format", "status"] as const;

export interface DividedList {
  readonly relation: Relation;
  readonly parts: readonly ListPartition[];
  readonly ranges: ListRangeConditions | undefined;
  readonly rest: SearchParam;
}

/** Reads a page of the reports that match the filters of the query and the parts of `source`. */
export async function readPage(
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
export function divide(types: readonly string[], filters: SearchParam, sort: CollectionQuery["sort"]): DividedList {
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

function listPartOf(key: string, values: readonly string[]): ListPartition {
  const { expression, type } = requireRelationColumn(reportsRelation, key);
  return { expression, type: type as SqlScalarType, values: [...new Set(values)] };
}

export function textsOf(value: SearchParam[string]): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

const duration = sql`${reports.finishedAt} - ${reports.createdAt}`;
export const hasUsualDuration = sql`${duration} between interval '0' and interval '24 hours'`;
export const hasUnusualDuration = sql`${duration} not between interval '0' and interval '24 hours'`;

/**
 * Returns ranges of `finishedAt` that follow from the filters on `createdAt`, because no index has both columns. Nearly all reports finish within 24
 * hours of their creation. A separate index holds the others, such as those delayed by a long outage.
 */
function finishedRanges({ createdFrom, createdTo }: SearchParam): ListRangeConditions | undefined {
  if (createdFrom === undefined && createdTo === undefined) return undefined;
  const from = createdFrom === undefined ? [] : [sql`${reports.finishedAt} >= ${instant(createdFrom)}`];
  const to = createdTo === undefined ? [] : [sql`${reports.finishedAt} < ${instant(createdTo)} + interval '24 hours'`];
  return { ofValues: [hasUnusualDuration, and(hasUsualDuration, ...from, ...to)!] };
}

export function instant(value: SearchParam[string]): SQL {
  return bindScalar(String(value), "timestamptz");
}

const allReportsRelation = createTableRelation(reports, getTableColumns(reports));

export const reportsRelation: Relation = {
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

/**
 * The sorts by times use expressions that no index has. So Postgres reads only the reports with matching titles and sorts these. The search adds the
 * condition that the report is not deleted, in the form of the index that it uses.
 */
export const searchedRelation: Relation = {
  ...scheduledRelation,
  active: sql`${reports.fileOf} is null`,
  columns: { ...scheduledRelation.columns, createdAt: withoutIndex(reports.createdAt, { nullable: false }) },
};

function withoutIndex(time: SQLWrapper, { nullable }: { readonly nullable: boolean }): RelationColumn {
  const order = { expression: sql`(${time} + interval '0')`, type: "timestamptz" } as const;
  return createRelationColumn(time, "timestamptz", { nullable, order });
}
