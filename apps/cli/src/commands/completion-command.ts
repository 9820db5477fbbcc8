import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { completeLine } from "../completion/complete-line.ts";
import { shellScripts } from "../completion/shell-scripts.ts";
import { safeText } from "../output/safe-text.ts";

/** How long completion waits for the catalogue of report types. */
const maxCatalogueWaitMs = 3000;

/** Adds `completion SHELL`, which prints a shell's script, and `__complete LINE`, which the script calls. */
export function addCompletionCommands(program: Command, context: CommandContext): void {
  const { output, interrupted } = context;
  program
    .command("completion")
    .description("print the completion for a shell: source <(reports completion bash)")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shellScripts)))
    .action((shell: keyof typeof shellScripts) => output.write(shellScripts[shell].trimEnd()));

  program
    .command("__complete", { hidden: true })
    .argument("<line>")
    .action(async (line: string) => {
      const signal = AbortSignal.any([interrupted, context.giveUp, AbortSignal.timeout(maxCatalogueWaitMs)]);
      const candidates = await completeLine(
        {
          program,
          // If the service is unavailable, completion offers no report types.
          reportTypes: async () => listOrEmpty(async () => context.gateway().reportTypes.list({ signal })),
        },
        line,
      );
      for (const { value, description = "" } of candidates) output.write(`${value}\t${safeText(description)}`);
    });
}

async function listOrEmpty<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch {
    return [];
  }
}
