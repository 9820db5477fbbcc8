import type { CallOptions } from "./call-options.ts";
import { jsonOf } from "./transport/answer.ts";
import type { Transport } from "./transport/send.ts";

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many there are in all: with `count: "exact"`, up to 10,000; else null. */
  readonly total: number | null;
  /** A bound, where there are too many to count. */
  readonly totalAtLeast: number | null;
}

/** The records of a list. Pages are asked for as they are needed. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

/** Reads a list, following `Link` from page to page. docs/contract.md §6.2. */
export function listOf<Item>(
  transport: Transport,
  path: readonly string[],
  query: object = {},
  { signal }: CallOptions = {},
): List<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void> {
    let next: string | null = queryText(query);
    while (next !== null) {
      const request = { method: "GET", path, query: next, signal } as const;
      const answer = await transport.send(request, async (response) => ({
        items: await jsonOf<readonly Item[]>(response),
        headers: response.headers,
      }));
      next = nextQuery(answer.headers.get("Link"));
      yield {
        items: answer.items,
        total: numberIn(answer.headers, "X-Total-Count"),
        totalAtLeast: numberIn(answer.headers, "X-Total-Count-At-Least"),
      };
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

/** With its leading `?`, or empty. */
export function queryText(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (value === undefined) return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    // Fields to sort by are one value; several values of a filter are alternatives.
    return name === "sort" ? [[name, values.join(",")]] : values.map((one) => [name, String(one)]);
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

/** The query of the next page. Its path is this list's own, whatever prefix a proxy strips. RFC 8288. */
function nextQuery(link: string | null): string | null {
  for (const text of (link ?? "").split("<")) {
    const [target, parameters = ""] = text.split(">", 2) as [string, string?];
    if (/;\s?rel="?next"?/.test(parameters)) return target.slice(target.indexOf("?"));
  }
  return null;
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value === null ? null : Number(value);
}
