import { GatewayError, type ReportEstimate, type ReportRow, type RowsQuery } from "@reports/client";
import { InvalidArgumentError, Option, type Command } from "commander";
import { readOutputFormat, type CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInputWithTimeWords } from "../input/start-input.ts";
import { formatBytes, formatCount, formatDuration } from "../output/format-amount.ts";
import type { TableColumn } from "../output/format-table.ts";
import { toSafeText } from "../output/to-safe-text.ts";

interface PreviewOptions extends StartFlagValues {
  readonly limit?: number;
  readonly json?: boolean;
}

const noValue = "?";

/** Printed if too few reports of the type still have files to estimate from. docs/reference/resources/previews.md#estimates. */
const fewReportsMessage =
  "Size and time are not known (?) for formats in which fewer than ten reports of this type still have their files.";

const estimateColumns: readonly TableColumn<ReportEstimate>[] = [
  { heading: "FORMAT", text: ({ format }) => format },
  { heading: "ROWS", text: formatRows, align: "right" },
  { heading: "SIZE", text: ({ sizeBytes }) => (sizeBytes === null ? noValue : formatBytes(sizeBytes)), align: "right" },
  {
    heading: "TIME",
    text: ({ seconds }) => (seconds === null ? noValue : formatDuration(seconds * 1000)),
    align: "right",
  },
  { heading: "ROWS AT MOST", text: ({ maxRows }) => formatCount(maxRows), align: "right" },
  { heading: "FITS", text: ({ fits }) => (fits === null ? noValue : fits ? "yes" : "no") },
];

export function addPreviewCommands(program: Command, context: CommandContext): void {
  const preview = program.command("preview").description("show the first rows of a report without making one");
  for (const flag of [startFlags.columns, startFlags.sort, startFlags.timezone]) preview.addOption(flag);
  addRowsOptions(preview)
    .addOption(new Option("--limit <number>", "how many rows at most, 1 to 100; 20 by default").argParser(parseLimit))
    .action(async (type: string, _: unknown, command: Command) => {
      const { limit, ...flags } = command.optsWithGlobals<PreviewOptions>();
      const { searchParam, columns, sort, timezone } = await readStartInputWithTimeWords(context, type, flags);
      const query = { searchParam, columns, sort, timezone, limit };
      const rows = await readRows(context, type, query);
      await context.output.writeRows(rows, {
        columns: columnsOfRows(rows),
        ...readOutputFormat(command),
        whenExpanded: "The columns do not fit next to each other; --columns chooses some.",
      });
      if (rows.length === 0) context.output.say("There are no rows.");
    });
  const estimate = program
    .command("estimate")
    .description("say how many rows a report would have, how large and how long it would be in each format");
  addRowsOptions(estimate).action(async (type: string, _: unknown, command: Command) => {
    const { json, ...flags } = command.optsWithGlobals<PreviewOptions>();
    const { reportType, ...query } = await readStartInputWithTimeWords(context, type, flags);
    const estimates = await context.gateway().reportTypes.estimates(reportType, query, { signal: context.signal });
    await context.output.writeRows(estimates, { columns: estimateColumns, ...readOutputFormat(command) });
    if (json !== true && estimates.some(({ rows, sizeBytes }) => rows !== null && sizeBytes === null))
      context.output.say(fewReportsMessage);
  });
}

/** Reads the first rows. If the preview of this type is unavailable now, throws a CommandError, because the command line is correct. */
async function readRows(context: CommandContext, type: string, query: RowsQuery): Promise<readonly ReportRow[]> {
  const { reportTypes } = context.gateway();
  const { signal } = context;
  try {
    return await reportTypes.rows(type, query, { signal });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "preview-not-available") throw error;
    const { preview } = await reportTypes.get(type, { signal });
    throw preview ? new CommandError("unavailable", toSafeText(error.detail)) : error;
  }
}

function addRowsOptions(command: Command): Command {
  return command
    .argument("<type>", "report type, one of `types`")
    .addOption(createRepeatedOption("--where <filter=value>", "rows to show; repeated for other values and filters"));
}

function columnsOfRows(rows: readonly ReportRow[]): readonly TableColumn<ReportRow>[] {
  return Object.keys(rows[0] ?? {}).map((key) => ({
    heading: key,
    text: (row) => formatValue(row[key] ?? null),
    wrapsTo: 16,
    ...(rows.every((row) => row[key] === null || typeof row[key] === "number") ? { align: "right" } : {}),
  }));
}

function formatValue(value: NonNullable<ReportRow[string]> | null): string {
  if (value === null) return "";
  return Array.isArray(value) ? value.map((element: string | null) => element ?? "").join("; ") : String(value);
}

function formatRows({ rows, rowsAre }: ReportEstimate): string {
  if (rows === null) return noValue;
  return rowsAre === "EXACT" ? formatCount(rows) : `about ${formatCount(rows)}`;
}

function parseLimit(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > 100)
    throw new InvalidArgumentError("It must be a whole number from 1 to 100.");
  return Number(text);
}
