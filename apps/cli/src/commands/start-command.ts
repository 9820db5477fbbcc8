import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { parseDurationMs } from "../input/duration.ts";
import { createRepeatedOption } from "../input/repeated-option.ts";
import { startFlags, type StartFlagValues } from "../input/start-flags.ts";
import { readStartInputWithTimeWords } from "../input/start-input.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { startReport } from "./start-report.ts";
import { createTimeoutSignal } from "./create-report-wait-context.ts";

export interface StartCommandOptions extends StartFlagValues {
  readonly idempotencyKey?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

export function addStartFlags(command: Command): Command {
  command.argument("<type>", "report type, one of `types`");
  for (const flag of Object.values(startFlags)) command.addOption(flag);
  return command
    .addOption(createRepeatedOption("--where <filter=value>", "rows to show; repeated for other values and filters"))
    .option("--idempotency-key <key>", "gives the report that the same start with this key gave within a day");
}

export function addTimeoutOption(command: Command): Command {
  return command.option("--timeout <time>", "how long to wait, such as 30m; the report keeps running", parseDurationMs);
}

export function addStartCommand(program: Command, context: CommandContext): void {
  addTimeoutOption(addStartFlags(program.command("start").description("start a report and print its id"))).action(
    async (type: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<StartCommandOptions>();
      const report = await startReport(context, await readStartInputWithTimeWords(context, type, options), {
        idempotencyKey: options.idempotencyKey ?? randomUUID(),
        timedOut: createTimeoutSignal(options.timeout),
      });
      context.output.write(options.json === true ? toSafeJson(report) : toSafeText(report.id));
      context.interrupted.throwIfAborted();
    },
  );
}
