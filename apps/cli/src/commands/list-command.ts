import { reportStatuses, type ReportQuery } from "@reports/client";
import type { Command } from "commander";
import { readOutputFormat, type CommandContext } from "../command-context.ts";
import { rethrowWithFlagNames } from "../describe-error.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { reportListColumns } from "../output/list-record-fields.ts";
import { createListLimitOption, writeNewestRecords } from "./newest.ts";

const listFlags = { reportType: "--type", status: "--status", q: "--title" } as const;

interface ListOptions {
  readonly mine?: boolean;
  readonly status?: readonly string[];
  readonly type?: readonly string[];
  readonly format?: readonly string[];
  readonly title?: string;
  readonly limit: number;
}

export function addListCommand(program: Command, context: CommandContext): void {
  program
    .command("list")
    .description("list reports, newest first")
    .option("--mine", "only those that this user asked for")
    .addOption(createRepeatedOption("--status <status>", `one of ${reportStatuses.join(", ")}; may be repeated`))
    .addOption(createRepeatedOption("--type <type>", "report type; may be repeated"))
    .addOption(createRepeatedOption("--format <format>", "format; may be repeated"))
    .option("--title <text>", "reports whose title contains the text, in any case")
    .addOption(createListLimitOption())
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const { mine, status, type, format, title } = options;
      const query: ReportQuery = {
        reportType: type,
        status,
        format,
        q: title,
        requestedBy: mine === true ? "me" : undefined,
      };
      const { signal } = context;
      const shown = { columns: reportListColumns, ...readOutputFormat(command), limit: options.limit };
      await rethrowWithFlagNames(listFlags, async () =>
        writeNewestRecords(context, shown, (page) => context.gateway().reports.list({ ...query, ...page }, { signal })),
      );
    });
}
