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

/** Follows `Link` from page to page: `ask` gets the query of each. docs/reference/http.md#lists. */
export function listOf<Item>(
  query: object = {},
  ask: (query: string) => Promise<readonly [items: readonly Item[], headers: Headers]>,
): List<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void> {
    let next: string | null = queryText(query, false);
    while (next !== null) {
      const [items, headers] = await ask(next);
      next = nextQuery(headers.get("Link"));
      yield {
        items,
        total: numberIn(headers, "X-Total-Count"),
        totalAtLeast: numberIn(headers, "X-Total-Count-At-Least"),
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

/**
 * With its leading `?`, or empty; what is null or undefined is left out. Several values of a filter of a list are alternatives, each by
 * itself; fields to sort by, and everything in the query of a start (`isStart`), are one value. docs/reference/resources/reports.md#searchparam, docs/reference/resources/reports.md#options.
 */
export function queryText(query: object, isStart: boolean): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    const isList = Array.isArray(value);
    for (const one of isList && !isStart && name !== "sort" ? value : [value])
      // A list as text has commas.
      pairs.append(name, typeof one === "object" && !isList ? JSON.stringify(one) : String(one));
  }
  const text = pairs.toString();
  return text && `?${text}`;
}

/** The query of the next page. Its path is this list's own, whatever prefix a proxy strips. RFC 8288. */
function nextQuery(link: string | null): string | null {
  return /<[^<>?]*(\?[^<>]*)>[^<]*;\s?rel="?next"?/.exec(link ?? "")?.[1] ?? null;
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value === null ? null : Number(value);
}
