import { reportStatuses, type ReportQuery } from "@reports/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { atFlags } from "../describe-error.ts";
import { repeatedOption } from "../input/repeated-option.ts";
import { reportColumns } from "../output/describe-report.ts";

/** How many are listed where the caller does not say. */
const defaultLimit = 50;
/** Records of a page at most. docs/contract.md §6.2. */
const largestPage = 200;

/** By the filters of the list. */
const listFlags = { reportType: "--type", status: "--status" } as const;

interface ListOptions {
  readonly mine?: boolean;
  readonly status?: readonly string[];
  readonly type?: readonly string[];
  readonly format?: readonly string[];
  readonly limit: number;
  readonly json?: boolean;
}

/** `list`: the newest reports. */
export function addListCommand(program: Command, context: CommandContext): void {
  program
    .command("list")
    .description("list reports, newest first")
    .option("--mine", "only those that this user asked for")
    .addOption(repeatedOption("--status <status>", `one of ${reportStatuses.join(", ")}; may be repeated`))
    .addOption(repeatedOption("--type <type>", "report type; may be repeated"))
    .addOption(repeatedOption("--format <format>", "format; may be repeated"))
    .addOption(new Option("--limit <number>", "how many at most, or `all`").argParser(limit).default(defaultLimit))
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const { mine, status, type, format } = options;
      const query: ReportQuery = {
        reportType: type,
        status,
        format,
        requestedBy: mine === true ? "me" : undefined,
        // One more than is shown says whether there are more.
        limit: Math.min(largestPage, options.limit + 1),
      };
      const signal = AbortSignal.any([context.interrupted, context.impatience]);
      const reports = context.gateway().reports.list(query, { signal });
      let hasMore = false;
      await atFlags(listFlags, async () =>
        context.output.writeRows(
          atMost(reports, options.limit, () => (hasMore = true)),
          { columns: reportColumns, json: options.json === true },
        ),
      );
      if (hasMore) context.output.say(`These are the newest ${options.limit}; --limit all lists every report.`);
    });
}

async function* atMost<T>(items: AsyncIterable<T>, most: number, onMore: () => void): AsyncGenerator<T, void> {
  let count = 0;
  for await (const item of items) {
    if (count++ === most) return onMore();
    yield item;
  }
}

function limit(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1) throw new InvalidArgumentError("It must be a whole number from 1, or `all`.");
  return count;
}
