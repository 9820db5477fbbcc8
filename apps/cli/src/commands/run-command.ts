import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readStartInputWithTimeWords } from "../input/start-input.ts";
import { readDownloadTarget } from "./download-target.ts";
import { createReportWaitContext, createTimeoutSignal } from "./create-report-wait-context.ts";
import { waitForReportAndSave } from "./save-report-file.ts";
import { addStartFlags, addTimeoutOption, type StartCommandOptions } from "./start-command.ts";
import { startReport } from "./start-report.ts";

interface RunOptions extends StartCommandOptions {
  readonly output?: string;
  readonly cancelOnInterrupt?: boolean;
}

export function addRunCommand(program: Command, context: CommandContext): void {
  addOutputOption(
    addTimeoutOption(addStartFlags(program.command("run").description("start a report, wait for it, save its file"))),
  )
    .option("--cancel-on-interrupt", "Ctrl-C cancels the report; otherwise it keeps running")
    .action(async (type: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<RunOptions>();
      const json = options.json === true;
      const target = await readDownloadTarget(options.output, { output: context.output, json });
      const timedOut = createTimeoutSignal(options.timeout);
      const input = await readStartInputWithTimeWords(context, type, options);
      const started = await startReport(context, input, {
        idempotencyKey: options.idempotencyKey ?? randomUUID(),
        timedOut,
      });
      const followed = createReportWaitContext(context, started.id, {
        timedOut,
        cancelOnInterrupt: options.cancelOnInterrupt,
        resumeWords: toDownloadArguments(started.id, options.output),
      });
      await waitForReportAndSave(context, followed, { target, json });
    });
}

export function addOutputOption(command: Command): Command {
  return command.option("-o, --output <file>", "file or folder to save it as or in; - is standard output");
}

export function toDownloadArguments(id: string, output: string | undefined): readonly string[] {
  return ["download", id, ...(output === undefined ? [] : ["-o", output])];
}
