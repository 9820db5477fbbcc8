import { randomUUID } from "node:crypto";
import type { ReportFileRecord, ReportFileStart } from "@reports/client";
import type { Command } from "commander";
import { readOutputFormat, type CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { resolveReportId } from "../input/find-id.ts";
import { createReportIdArgument } from "../input/id-arguments.ts";
import { renditionFlags } from "../input/start-flags.ts";
import type { TableColumn } from "../output/format-table.ts";
import { formatBytes } from "../output/format-amount.ts";
import { toSafeText } from "../output/to-safe-text.ts";
import { quoteShellWord } from "../output/shell-word.ts";
import { readDownloadTarget, type DownloadTarget } from "./download-target.ts";
import {
  createReportWaitContext,
  createTimeoutSignal,
  showProgress,
  type ReportWaitContext,
} from "./create-report-wait-context.ts";
import { addOutputOption } from "./run-command.ts";
import { saveRendition } from "./save-report-file.ts";
import { addTimeoutOption } from "./start-command.ts";
import { startWithIdempotencyKey } from "./start-report.ts";

const fileColumns: readonly TableColumn<ReportFileRecord>[] = [
  { heading: "ID", text: ({ id }) => id, kind: "id" },
  { heading: "STATUS", text: ({ status }) => status },
  { heading: "FORMAT", text: ({ format }) => format, spare: 1 },
  { heading: "SIZE", text: ({ size }) => (size === null ? "" : formatBytes(size)), align: "right" },
  { heading: "CREATED", text: ({ createdAt }) => createdAt, kind: "age", spare: 2 },
  { heading: "REQUESTED BY", text: ({ requestedBy }) => requestedBy, cutsTo: 16, spare: 3 },
  { heading: "NAME", text: ({ fileName, error }) => fileName ?? error?.code ?? "", wrapsTo: 20 },
];

interface AddFileOptions {
  readonly json?: boolean;
  readonly timeout?: number;
  readonly output?: string;
  readonly idempotencyKey?: string;
}

export function addFileCommands(program: Command, context: CommandContext): void {
  const { output, signal } = context;
  program
    .command("files")
    .description("list the files of a report")
    .addArgument(createReportIdArgument())
    .action(async (given: string, _: unknown, command: Command) => {
      const id = await resolveReportId(context, given);
      const files = await context.gateway().reports.files(id).list({ signal });
      await output.writeRows(files, { columns: fileColumns, ...readOutputFormat(command) });
    });

  const addFile = program
    .command("add-file")
    .description("make an additional file from the row snapshot of a report (--keep-rows), and save it")
    .addArgument(createReportIdArgument());
  for (const flag of Object.values(renditionFlags)) addFile.addOption(flag);
  addFile.option("--idempotency-key <key>", "gives the file that the same command with this key gave within a day");
  addOutputOption(addTimeoutOption(addFile)).action(async (given: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals<AddFileOptions>();
    const json = options.json === true;
    const target = await readDownloadTarget(options.output, { output, json });
    const id = await resolveReportId(context, given);
    const timedOut = createTimeoutSignal(options.timeout);
    const { idempotencyKey = randomUUID() } = options;
    const files = context.gateway().reports.files(id);
    const list = `${context.name} files ${quoteShellWord(id)}`;
    const started = await startWithIdempotencyKey(
      context,
      { idempotencyKey, timedOut },
      { what: "file", list },
      async (how) => files.start(readFileInput(command), how),
    );
    output.say(`The file ${toSafeText(started.id)} of the report ${toSafeText(id)} is being made.`);
    // The printed command that continues the wait contains the whole ID. `@last` or the end of an ID could mean another report later.
    const words = context.words.with(context.words.indexOf(given), id);
    const key = options.idempotencyKey === undefined ? ["--idempotency-key", idempotencyKey] : [];
    const followed = createReportWaitContext(context, started.id, {
      what: "file",
      timedOut,
      resumeWords: [...words, ...key],
    });
    await waitForRenditionAndSave(context, id, followed, { target, json });
  });
}

export async function waitForRenditionAndSave(
  context: CommandContext,
  reportId: string,
  followed: ReportWaitContext,
  { target, json }: { readonly target: DownloadTarget; readonly json: boolean },
): Promise<void> {
  const { signal } = followed;
  const onProgress = (record: ReportFileRecord): void => showProgress(context, record);
  await followed.run(async () => {
    const ended = await context.gateway().reports.files(reportId).wait(followed.id, { signal, onProgress });
    context.output.bar.clear();
    if (ended.status !== "SUCCEEDED") throw failedFileError(ended);
    await saveRendition(context, ended, { target, json, signal });
  });
}

function readFileInput(command: Command): ReportFileStart {
  const given = Object.keys(renditionFlags).filter((name) => command.getOptionValueSource(name) === "cli");
  return Object.fromEntries(given.map((name) => [name, command.getOptionValue(name) as unknown])) as never;
}

function failedFileError({ id, status, error }: ReportFileRecord): CommandError {
  const cause = error === null ? toSafeText(status) : toSafeText(`${error.code}: ${error.detail}`);
  return new CommandError("failed", `The file ${toSafeText(id)} was not made. ${cause}`);
}
