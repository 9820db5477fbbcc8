import type { ReportEvent } from "@reports/client";
import type { Command } from "commander";
import { hasJsonFlag, readOutputFormat, type CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { parseDurationMs } from "../input/duration.ts";
import { listRecordFields, recordFieldColumns, type RecordField } from "../output/list-record-fields.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { quoteShellWord } from "../output/shell-word.ts";
import type { TableColumn } from "../output/format-table.ts";
import { readPastEvents, readWaitCause } from "../past-events.ts";
import { assertReportSucceeded } from "../report-end.ts";
import { readDownloadTarget } from "./download-target.ts";
import { waitForRenditionAndSave } from "./file-commands.ts";
import { createReportWaitContext, createTimeoutSignal, waitForReportEnd } from "./create-report-wait-context.ts";
import { createExpiringLink } from "./create-expiring-link.ts";
import { addOutputOption, toDownloadArguments } from "./run-command.ts";
import { waitForReportAndSave } from "./save-report-file.ts";
import { resolveFileId, resolveReportId } from "../input/find-id.ts";
import { createReportIdArgument } from "../input/id-arguments.ts";
import { addTimeoutOption } from "./start-command.ts";

const eventColumns: readonly TableColumn<ReportEvent>[] = [
  { heading: "AT", text: ({ at }) => at },
  { heading: "FROM", text: ({ from }) => from ?? "" },
  { heading: "TO", text: ({ to }) => to },
  { heading: "ATTEMPT", text: ({ attempt }) => `${attempt}`, align: "right", spare: 1 },
  { heading: "BECAUSE", text: ({ because }) => because ?? "" },
  { heading: "BY", text: ({ actor }) => actor ?? "", wrapsTo: 12 },
];

interface FollowingOptions {
  readonly json?: boolean;
  readonly timeout?: number;
  readonly output?: string;
  readonly file?: string;
}

export function addReportCommands(program: Command, context: CommandContext): void {
  const { output, signal } = context;
  const onReport = (name: string, description: string): Command =>
    program.command(name).description(description).addArgument(createReportIdArgument());

  onReport("status", "show a report").action(async (given: string, _: unknown, command: Command) => {
    const { reports } = context.gateway();
    const report = await reports.get(await resolveReportId(context, given), { signal });
    if (hasJsonFlag(command)) output.write(toSafeJson(report));
    else await printFacts(context, listRecordFields(report, await readWaitCause(reports, report, signal)));
  });

  addTimeoutOption(onReport("watch", "wait until a report has ended, then show it")).action(
    async (given: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<FollowingOptions>();
      const id = await resolveReportId(context, given);
      const followed = createReportWaitContext(context, id, {
        timedOut: createTimeoutSignal(options.timeout),
        resumeWords: ["watch", id],
      });
      const ended = await followed.run(async () => waitForReportEnd(context, followed));
      if (options.json === true) output.write(toSafeJson(ended));
      else await printFacts(context, listRecordFields(ended));
      assertReportSucceeded(ended);
    },
  );

  const download = onReport("download", "wait until a report has ended, then save its file");
  download.option("--file <id>", "save this one of its files, which `files ID` lists, instead");
  addOutputOption(addTimeoutOption(download)).action(async (given: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals<FollowingOptions>();
    const json = options.json === true;
    const target = await readDownloadTarget(options.output, { output, json });
    const id = await resolveReportId(context, given);
    const file = options.file === undefined ? undefined : await resolveFileId(context, id, options.file);
    const timedOut = createTimeoutSignal(options.timeout);
    const resumeWords = toDownloadArguments(id, options.output);
    if (file !== undefined) {
      const followed = createReportWaitContext(context, file, {
        what: "file",
        timedOut,
        resumeWords: [...resumeWords, "--file", file],
      });
      return waitForRenditionAndSave(context, id, followed, { target, json });
    }
    const followed = createReportWaitContext(context, id, { timedOut, resumeWords });
    return waitForReportAndSave(context, followed, { target, json });
  });

  onReport("link", "print a link that downloads the file of a report without credentials")
    .option("--expires <time>", "when it ends, such as 10m; as late as the gateway allows by default", parseDurationMs)
    .action(async (given: string, _: unknown, command: Command) => {
      const { expires, json } = command.optsWithGlobals<{ readonly expires?: number; readonly json?: boolean }>();
      const { reports } = context.gateway();
      const report = await reports.get(await resolveReportId(context, given), { signal });
      if (report.status === "QUEUED" || report.status === "RUNNING")
        throw new CommandError(
          "gone",
          `The report has no file yet. See:\n  ${context.name} watch ${quoteShellWord(report.id)}`,
        );
      assertReportSucceeded(report);
      if (report.file === null) throw new CommandError("gone", "The report has no file.");
      const link = await createExpiringLink(reports.links(report.id, report.file.id), expires, signal);
      output.write(json === true ? toSafeJson(link) : toSafeText(link.url));
      output.say(
        `It ends ${toSafeText(link.expiresAt)}, or earlier if the file is deleted or you may no longer download it.`,
      );
    });

  onReport("cancel", "cancel a report").action(async (given: string, _: unknown, command: Command) => {
    const report = await context.gateway().reports.cancel(await resolveReportId(context, given), { signal });
    output.say(`The report ${toSafeText(report.id)} is cancelled.`);
    if (hasJsonFlag(command)) output.write(toSafeJson(report));
  });

  onReport("delete", "delete a report and its file; cancel it where it is open").action(async (given: string) => {
    const id = await resolveReportId(context, given);
    await context.gateway().reports.remove(id, { signal });
    output.say(`The report ${toSafeText(id)} is deleted.`);
  });

  onReport("events", "list what has happened to a report, from its creation to its end or until now").action(
    async (given: string, _: unknown, command: Command) => {
      const events = await readPastEvents(context.gateway().reports, await resolveReportId(context, given), signal);
      await output.writeRows(events, { columns: eventColumns, ...readOutputFormat(command) });
    },
  );
}

async function printFacts({ output }: CommandContext, facts: readonly RecordField[]): Promise<void> {
  await output.writeRows(facts, { columns: recordFieldColumns, json: false });
}
