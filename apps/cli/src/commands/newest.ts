import { InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RowOptions } from "../output/output.ts";

const defaultLimit = 50;
/** The API's maximum of records per page. docs/reference/http.md#lists. */
const maxPageSize = 200;

export function createLimitOption(): Option {
  return new Option("--limit <number>", "how many at most, or `all`").argParser(parseLimit).default(defaultLimit);
}

/** Prints the newest records of a list, and a message if there are more than the limit. `list` gets the page size. */
export async function writeNewest<Row>(
  { output }: CommandContext,
  options: RowOptions<Row> & { readonly limit: number },
  list: (page: { readonly limit: number }) => AsyncIterable<Row>,
): Promise<void> {
  let hasMore = false;
  // One more record than is printed shows whether there are more.
  const rows = list({ limit: Math.min(maxPageSize, options.limit + 1) });
  await output.writeRows(
    takeAtMost(rows, options.limit, () => (hasMore = true)),
    options,
  );
  if (hasMore) output.say(`These are the newest ${options.limit}; --limit all lists all.`);
}

async function* takeAtMost<T>(items: AsyncIterable<T>, most: number, onMore: () => void): AsyncGenerator<T, void> {
  let count = 0;
  for await (const item of items) {
    if (count++ === most) return onMore();
    yield item;
  }
}

function parseLimit(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1) throw new InvalidArgumentError("It must be a whole number from 1, or `all`.");
  return count;
}
