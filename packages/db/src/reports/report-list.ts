import { type Report, type ReportLists, type VisibleReports } from "@reports/core/report";
import type { CollectionPage, CollectionQuery, SearchParam } from "@reports/core/query";
import type { Queries } from "../database/queries.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { divide, readPage, textsOf } from "./report-list-page.ts";
import { searchTitles, type SearchLimits } from "./search-titles.ts";

/** Creates the lists of reports. `limits` are of searches by title. */
export function createReportLists(lists: ListConnectionPool, limits?: SearchLimits): ReportLists {
  return { list: (query, signal) => lists.read(async (queries) => listReports(queries, query, limits), signal) };
}

/**
 * Reads a page of reports. Each type has its own range of an index, so a caller who sees only a rare type does not wait for other types:
 * docs/decisions/0087-lists-of-reports-know-their-filters.md.
 */
export async function listReports(
  queries: Queries,
  { visible, filters, ...query }: CollectionQuery & { readonly visible: VisibleReports },
  limits?: SearchLimits,
): Promise<CollectionPage<Report>> {
  const { reportType, requestedBy, ...unbound } = filters;
  const types = restrictValues(visible.reportTypes, reportType) ?? [];
  const requesters = restrictValues(visible.requestedBy === null ? null : [visible.requestedBy], requestedBy);
  const others = requesters === null ? unbound : { ...unbound, requestedBy: requesters };
  if (types.length === 0 || requesters?.length === 0) return { items: [], next: null, total: query.count ? 0 : null };
  if (Object.hasOwn(others, "q")) return searchTitles(queries, { visible, types, filters: others, query, limits });
  const { rest, ...source } = divide(types, others, query.sort);
  return readPage(queries, visible, source, { ...query, filters: rest });
}

function restrictValues(
  allowed: readonly string[] | null,
  filter: SearchParam[string] | undefined,
): readonly string[] | null {
  if (filter === undefined) return allowed;
  const wanted = textsOf(filter);
  return allowed === null ? wanted : allowed.filter((value) => wanted.includes(value));
}
