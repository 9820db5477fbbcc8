import type { List } from "@reports/client";
import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { Environment } from "../connection.ts";
import type { CompletionCandidate, CompletionRecord } from "../completion/candidate-values.ts";
import { completeLine, findProfileInLine } from "../completion/complete-line.ts";
import { completionScriptByShell } from "../completion/completion-script-by-shell.ts";
import { formatReportCandidate, formatScheduleCandidate, formatWebhookCandidate } from "../input/find-id.ts";
import { toSafeText } from "../output/to-safe-text.ts";
import { getProfileFilePath, readProfiles } from "../profiles/profile-file.ts";

const maxWaitMs = 3000;

const maxRecords = 20;

/** Adds `completion SHELL`, which prints a shell's script, and the hidden `__complete LINE`, which the script calls. */
export function addCompletionCommands(program: Command, context: CommandContext): void {
  const { output, interrupted } = context;
  program
    .command("completion")
    .description("print the completion for a shell: source <(reports completion bash)")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(completionScriptByShell)))
    .action((shell: keyof typeof completionScriptByShell) => output.write(completionScriptByShell[shell].trimEnd()));

  program
    .command("__complete", { hidden: true })
    .argument("<line>")
    .action(async (line: string) => {
      const signal = AbortSignal.any([interrupted, context.giveUp, AbortSignal.timeout(maxWaitMs)]);
      const list = { limit: maxRecords };
      // Values are read from the gateway to which the completed command would send its requests.
      program.setOptionValue("profile", findProfileInLine(line));
      const candidates = await completeLine(
        {
          program,
          filterValues: async (type, filter) =>
            listOrEmpty(async () => context.gateway().reportTypes.filterValues(type, filter, { signal })),
          profiles: () => listProfiles(context.environment),
          reportTypes: async () => listOrEmpty(async () => context.gateway().reportTypes.list({ signal })),
          newest: {
            report: async () =>
              nameNewest(() => context.gateway().reports.list(list, { signal }), formatReportCandidate),
            schedule: async () =>
              nameNewest(() => context.gateway().schedules.list(list, { signal }), formatScheduleCandidate),
            webhook: async () =>
              nameNewest(() => context.gateway().webhooks.list(list, { signal }), formatWebhookCandidate),
          },
        },
        line,
      );
      for (const { value, description = "" } of candidates) output.write(`${value}\t${toSafeText(description)}`);
    });
}

/** Completion offers no profiles if their file cannot be read. Commands that need a profile report the error. */
function listProfiles(environment: Environment): readonly CompletionCandidate[] {
  try {
    return [...readProfiles(getProfileFilePath(environment))].map(([value, { url }]) => ({ value, description: url }));
  } catch {
    return [];
  }
}

async function nameNewest<Item extends { readonly id: string }>(
  list: () => List<Item>,
  describe: (item: Item) => string,
): Promise<readonly CompletionRecord[]> {
  return listOrEmpty(async () => {
    for await (const { items } of list().pages()) return items.map((item) => ({ id: item.id, text: describe(item) }));
    return [];
  });
}

/** Completion offers no values if the service is unavailable. */
async function listOrEmpty<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch {
    return [];
  }
}
