import { maxExactRecordCount, queryTooLongError, type CollectionPage } from "@reports/core/query";
import { describeJson, describeProblems, noStore, type Reply } from "../endpoint/endpoint.ts";
import { z } from "zod";
import type { ListQueryDefinition } from "./create-list-query-fields.ts";
import type { ListQueryParser } from "./list-query-parser.ts";
import { encodeCursor, fitsMaxCursorLength, maxCursorLength, type CursorScope } from "./cursor.ts";

const responseHeaders = {
  ...noStore,
  Link: 'The next page, as rel="next", if there is one: the path with a cursor, which stands for the whole query.',
  "X-Total-Count": `How many there are in all, when count=exact and there are at most ${maxExactRecordCount.toLocaleString("en-US")}.`,
  "X-Total-Count-At-Least": `${maxExactRecordCount + 1} instead of X-Total-Count, when count=exact and there are more.`,
};

/** Returns the parts that the declarations of all lists have in common. */
export function describeList(
  { filters, sortable }: ListQueryDefinition,
  query: ListQueryParser,
  schema: z.ZodType,
  description: string,
) {
  return {
    method: "GET",
    query: query.schema,
    list: { filters: filters.map(({ name }) => name), sorts: sortable },
    responses: {
      200: describeJson(description, z.array(schema), responseHeaders),
      ...describeProblems({
        400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
        503: "The list takes too long, or the database cannot be reached.",
      }),
    },
  } as const;
}

/**
 * Returns the response with a page as a JSON array, and the URL of the next page in `Link` (RFC 8288). Throws DomainError("bad-request") if there
 * is a next page and the query may be too long for a cursor. So such a query fails at its first page and not at a later one.
 */
export function createListReply<T>(
  page: CollectionPage<T>,
  { scope, basePath }: { readonly scope: CursorScope; readonly basePath: string },
  toResource: (item: T) => unknown,
): Reply {
  if (page.next !== null && !fitsMaxCursorLength(scope)) throw queryTooLongError(maxCursorLength);
  return {
    status: 200,
    headers: {
      ...noStore,
      ...(page.next !== null && {
        Link: `<${basePath}${scope.path}?cursor=${encodeCursor(page.next, scope)}>; rel="next"`,
      }),
      ...totalCountHeader(page.total),
    },
    body: { kind: "json", value: page.items.map(toResource) },
  };
}

/** Returns the header with the total number of matches. An exact total and a lower bound have different headers, so that no program confuses them. */
function totalCountHeader(total: number | null): Record<string, string> {
  if (total === null) return {};
  return total > maxExactRecordCount ? { "X-Total-Count-At-Least": String(total) } : { "X-Total-Count": String(total) };
}
