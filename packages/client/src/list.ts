/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of records in the whole list. Null if the query has no `count: "exact"`, or if there are more than 10,000 records. */
  readonly total: number | null;
  /** A lower bound of the number of records in the whole list, if there are too many to count. Otherwise null. */
  readonly totalAtLeast: number | null;
}

/** Iterates over the records of a list. The client requests a page when it is needed. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

/** Iterates over the pages of a list by their `Link` headers. `ask` requests the page of a query. docs/reference/http.md#lists. */
export function createList<Item>(
  query: object = {},
  ask: (query: string) => Promise<readonly [items: readonly Item[], headers: Headers]>,
): List<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void> {
    let next: string | null = formatQueryString(query, false);
    while (next !== null) {
      const [items, headers] = await ask(next);
      next = parseNextQuery(headers.get("Link"));
      yield {
        items,
        total: readNumberHeader(headers, "X-Total-Count"),
        totalAtLeast: readNumberHeader(headers, "X-Total-Count-At-Least"),
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
 * Returns the query with its leading `?`, or an empty text. A filter repeats its parameter per value. Sorts, and all lists of a start (`isStart`), are joined
 * by commas.
 */
export function formatQueryString(query: object, isStart: boolean): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    const isList = Array.isArray(value);
    for (const one of isList && !isStart && name !== "sort" ? value : [value])
      // `String` joins the items of a list with commas, as the API expects.
      pairs.append(name, typeof one === "object" && !isList ? JSON.stringify(one) : String(one));
  }
  const text = pairs.toString();
  return text && `?${text}`;
}

/** Returns the query of the next page (RFC 8288). Ignores the path of the link, because a proxy may strip a prefix from it. */
function parseNextQuery(link: string | null): string | null {
  return /<[^<>?]*(\?[^<>]*)>[^<]*;\s?rel="?next"?/.exec(link ?? "")?.[1] ?? null;
}

function readNumberHeader(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value === null ? null : Number(value);
}
