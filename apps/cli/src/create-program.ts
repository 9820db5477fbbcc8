import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { addCompletionCommands } from "./commands/completion-command.ts";
import { addFileCommands } from "./commands/file-commands.ts";
import { addListCommand } from "./commands/list-command.ts";
import { addLoginCommands } from "./commands/login-commands.ts";
import { addPreviewCommands } from "./commands/preview-commands.ts";
import { addReportCommands } from "./commands/report-commands.ts";
import { addRunCommand } from "./commands/run-command.ts";
import { addScheduleCommands } from "./commands/schedule-commands.ts";
import { addStartCommand } from "./commands/start-command.ts";
import { addTypesCommand } from "./commands/types-command.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import { formatHelp } from "./help/format-help.ts";

export function createProgram(context: CommandContext, version: string): Command {
  const program = new Command("reports")
    .description("Start, follow and download reports of a report gateway.")
    .option("--json", "data as JSON, one value per line")
    .option("--headings", "headings above lists that are not printed on a terminal")
    .option("--profile <name>", "use the address and the token of this profile of `login`")
    .version(version)
    .configureOutput({
      writeOut: (text) => context.output.write(text.trimEnd()),
      writeErr: (text) => context.output.say(text.trimEnd()),
      // commander prints no errors, because describeUsageError prints them.
      outputError: () => undefined,
    })
    // formatHelp prints the description itself. Without the empty `commandDescription`, commander would print it a second time.
    .configureHelp({ formatHelp, commandDescription: () => "", showGlobalOptions: true })
    .exitOverride();
  addTypesCommand(program, context);
  addPreviewCommands(program, context);
  addRunCommand(program, context);
  addStartCommand(program, context);
  addReportCommands(program, context);
  addFileCommands(program, context);
  addListCommand(program, context);
  addWebhookCommands(program, context);
  addScheduleCommands(program, context);
  addLoginCommands(program, context);
  addCompletionCommands(program, context);
  return program;
}
