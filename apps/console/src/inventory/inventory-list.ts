import type { CallOptions, List, Page as ListPage, ReportType } from "@reports/client";
import { readFirstPage } from "../shell/first-page.ts";
import { useQuery, type QueryResult } from "../shell/use-query.ts";
import { readStartDraft } from "../start/draft.ts";
import { groupErrorsByFilter } from "../parts/issues.ts";
import { useDebouncedText } from "../parts/use-debounced-text.ts";

const pollMs = 15_000;

export type ListParameters = Readonly<Record<string, unknown>>;

export function readListFilters(query: URLSearchParams, type: ReportType | undefined): ListParameters {
  const given = type === undefined ? undefined : readStartDraft(query, type).searchParam;
  return typeof given === "object" && given !== null ? given : {};
}

export function useInventoryList<Item>(
  of: string,
  parameters: ListParameters,
  list: (parameters: ListParameters, options: CallOptions) => List<Item>,
): QueryResult<ListPage<Item>> & { readonly errors: ReadonlyMap<string, string> } {
  const text = useDebouncedText(JSON.stringify(parameters));
  const result = useQuery(
    `${of} ${text}`,
    async (_, options) => readFirstPage(list(JSON.parse(text) as ListParameters, options)),
    () => pollMs,
  );
  return { ...result, errors: groupErrorsByFilter(result.failure) };
}
