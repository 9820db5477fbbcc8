import { maxExactRecordCount, queryTooLongError, type CollectionPage } from "@reports/core/query";
import type { Reply, ResponseSpec } from "../endpoint/endpoint.ts";
import { z } from "zod";
import { encodeCursor, fitsMaxCursorLength, maxCursorLength, type CursorScope } from "./cursor.ts";

export const problemDescriptionsOfLists = {
  400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
  503: "The list takes too long, or the database cannot be reached.",
};

export function describeListResponse(schema: z.ZodType, description: string): ResponseSpec {
  return {
    kind: "json",
    description,
    schema: z.array(schema),
    headers: {
      "Cache-Control": "no-store",
      Link: 'The next page, as rel="next", if there is one: the path with a cursor, which stands for the whole query.',
      "X-Total-Count": `How many there are in all, when count=exact and there are at most ${maxExactRecordCount.toLocaleString("en-US")}.`,
      "X-Total-Count-At-Least": `${maxExactRecordCount + 1} instead of X-Total-Count, when count=exact and there are more.`,
    },
  };
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
      "Cache-Control": "no-store",
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
