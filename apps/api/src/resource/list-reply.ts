import { maxExactCount, type CollectionPage, type KeysetPosition } from "@reports/core";
import type { Reply, ResponseSpec } from "../endpoint/endpoint.ts";
import type { QueryPair } from "../http/query.ts";
import { z } from "zod";
import { encodeCursor } from "./cursor.ts";
import type { ListScope } from "./list-query.ts";

/** What a list answers when all is well. docs/contract.md §6.2. */
export function listResponse(schema: z.ZodType, description: string): ResponseSpec {
  return {
    kind: "json",
    description,
    schema: z.array(schema),
    headers: {
      "Cache-Control": "no-store",
      Link: 'The next page, as rel="next", when there is one: the whole query with its cursor.',
      "X-Total-Count": `How many there are in all, when count=exact and there are at most ${maxExactCount.toLocaleString("en-US")}.`,
      "X-Total-Count-At-Least": `${maxExactCount + 1} instead of X-Total-Count, when count=exact and there are more.`,
    },
  };
}

/** A page as an array, its successor in `Link` (RFC 8288). */
export function listReply<T>(
  page: CollectionPage<T>,
  at: { readonly scope: ListScope; readonly pairs: readonly QueryPair[]; readonly basePath: string },
  toResource: (item: T) => unknown,
): Reply {
  return {
    status: 200,
    headers: {
      "Cache-Control": "no-store",
      ...(page.next === null ? {} : { Link: `<${nextPath(nextCursor(page.next, at.scope), at)}>; rel="next"` }),
      ...countHeader(page.total),
    },
    body: { kind: "json", value: page.items.map(toResource) },
  };
}

function nextCursor(position: KeysetPosition, scope: ListScope): string {
  return encodeCursor({ position, instants: scope.instants }, scope);
}

/** A bound never stands where an exact number would, so that no program takes one for the other. */
function countHeader(total: number | null): Record<string, string> {
  if (total === null) return {};
  return total > maxExactCount ? { "X-Total-Count-At-Least": String(total) } : { "X-Total-Count": String(total) };
}

function nextPath(cursor: string, { scope, pairs, basePath }: Parameters<typeof listReply>[1]): string {
  const query = [...pairs.filter(([name]) => name !== "cursor"), ["cursor", cursor] as const];
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return `${basePath}${scope.path}?${text}`;
}
