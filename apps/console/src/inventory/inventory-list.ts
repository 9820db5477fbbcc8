import type { List, Page as ListPage, ReportType } from "@reports/client";
import { firstPage } from "../shell/first-page.ts";
import { useQuery, type QueryResult } from "../shell/use-query.ts";
import { session } from "../shell/session.ts";
import { draftOf, parameterOf } from "../start/draft.ts";
import { issuesByField } from "../parts/issues.ts";
import { useDebounced } from "../parts/use-debounced.ts";

const pageSize = 50;
/** The largest page; a report has more. */
export const maxRows = 200;
const pollMs = 15_000;

export type ListParameters = Readonly<Record<string, unknown>>;

/** The report type with the same records and filters as a list. Undefined if the deployment lacks it. */
export function typeOf(reportType: string): ReportType | undefined {
  return session.value?.reportTypes.find((type) => type.reportType === reportType);
}

/** How many rows to request, always in one page. */
export function sizeOf(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return rows > 0 && rows <= maxRows ? rows : pageSize;
}

/** The filters in a fragment, for the client. */
export function filtersIn(query: URLSearchParams, type: ReportType | undefined): ListParameters {
  const given = type === undefined ? undefined : draftOf(query, type).searchParam;
  return typeof given === "object" && given !== null ? given : {};
}

/** Reads the first rows of a list, and returns problems of its filters by field. */
export function useInventoryList<Item>(
  of: string,
  parameters: ListParameters,
  list: (parameters: ListParameters, signal: AbortSignal) => List<Item>,
): QueryResult<ListPage<Item>> & { readonly errors: ReadonlyMap<string, string> } {
  const text = useDebounced(JSON.stringify(parameters));
  const result = useQuery(
    `${of} ${text}`,
    async (_, signal) => firstPage(list(JSON.parse(text) as ListParameters, signal)),
    () => pollMs,
  );
  const issues = result.failure?.issues ?? [];
  const byField = [...issuesByField(issues)].map(([field, message]): [string, string] => [parameterOf(field), message]);
  return { ...result, errors: new Map(byField) };
}
