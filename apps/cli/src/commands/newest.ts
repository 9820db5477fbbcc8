import { InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { RowOutputOptions } from "../output/command-output.ts";

const defaultLimit = 50;
/** The API's maximum of records per page. docs/reference/http.md#lists. */
const maxPageSize = 200;

export function createListLimitOption(): Option {
  return new Option("--limit <number>", "how many at most, or `all`").argParser(parseLimit).default(defaultLimit);
}

/** Prints the newest records of a list, and a message if there are more than the limit. On a terminal, says if there are none. */
export async function writeNewestRecords<Row>(
  { output }: Pick<CommandContext, "output">,
  options: RowOutputOptions<Row> & { readonly limit: number },
  list: (page: { readonly limit: number }) => AsyncIterable<Row>,
): Promise<void> {
  const { limit } = options;
  let count = 0;
  async function* takeAtMost(): AsyncGenerator<Row, void> {
    // The command reads one more record than it prints, to see whether there are more.
    for await (const row of list({ limit: Math.min(maxPageSize, limit + 1) })) {
      if (count++ === limit) return;
      yield row;
    }
  }
  await output.writeRows(takeAtMost(), options);
  if (count > limit) output.say(`These are the newest ${limit}; --limit all lists all.`);
  if (count === 0 && output.isTerminal) output.say("There are none.");
}

function parseLimit(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1) throw new InvalidArgumentError("It must be a whole number from 1, or `all`.");
  return count;
}
