import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { parsePageSteps, type PageStep } from "../test/documents/parse-page-steps.ts";
import { runPageStep } from "../test/documents/run-document-page.ts";
import { startShellSession } from "../test/documents/shell-session.ts";

const defaultCommandLimitMs = 600_000;

export const platformGuides = [
  "install",
  "behind-a-proxy",
  "upgrade",
  "rotate-secrets",
  "monitor",
  "back-up",
  "restore",
  "repair",
  "respond-to-alerts",
] as const;

/** Returns the path of a guide. Guides for operators have no folder in their name, and others have, such as `extending/add-a-collection`. */
function pathOf(name: string): string {
  return `docs/guides/${name.includes("/") ? name : `running/${name}`}.md`;
}

/**
 * Runs the commands of guides in one bash session. Each command of a page runs once, in the order in which the trial asks for it.
 */
export async function createGuideRunner(options: {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  fill(page: string): string;
  readonly guides: readonly string[];
  /** Name of a runner. Blocks below the comment `<!-- run by: NAME -->` run in addition to blocks without such a comment. */
  readonly runner?: string;
  readonly enter?: readonly string[];
  /** Maximum ms of one block of commands. Default: ten minutes. */
  readonly commandLimitMs?: number;
}) {
  const { fill, folder, environment, enter = [], commandLimitMs = defaultCommandLimitMs } = options;
  const pages = new Map<string, PageStep[]>();
  for (const name of options.guides) {
    const page = await readFile(join(checkoutFolder, pathOf(name)), "utf8");
    pages.set(name, [...parsePageSteps(fill(page), [undefined, options.runner])]);
  }
  const shell = startShellSession({ folder, environment, enter, commandLimitMs });

  async function runSteps(name: string, steps: readonly PageStep[]): Promise<void> {
    for (const step of steps) {
      const { found } = await runPageStep(shell, pathOf(name), step);
      if (found.length > 0) throw new CommandExitError(found.join("\n"));
    }
  }

  function findBlock(name: string, text: string): number {
    const index = pages.get(name)!.findIndex(({ commands }) => commands.includes(text));
    if (index !== -1) return index;
    throw new CommandExitError(`${pathOf(name)} has no more commands with ${text}.`);
  }

  return {
    /** Runs the commands of a page that have not run yet, up to the block that contains `text`, including that block. */
    async runUntil(name: string, text: string): Promise<void> {
      await runSteps(name, pages.get(name)!.splice(0, findBlock(name, text) + 1));
    },
    async runBlock(name: string, text: string): Promise<void> {
      await runSteps(name, pages.get(name)!.splice(findBlock(name, text), 1));
    },
    /** Returns the text of a block, which then counts as run. For programs, parts of files, and commands that the trial starts in another process. */
    takeBlock(name: string, text: string): string {
      return pages.get(name)!.splice(findBlock(name, text), 1)[0]!.commands;
    },
    async runRest(name: string): Promise<void> {
      await runSteps(name, pages.get(name)!.splice(0));
    },
    async run(commands: string): Promise<string> {
      const { stdout, failure } = await shell.run(fill(commands));
      if (failure !== null) throw new CommandExitError(`These commands failed:\n${commands}\n${failure}`);
      return stdout.trim();
    },
    /** Throws if a guide has commands that have not run. With `runner`, only commands below its comment count. */
    assertAllRan(): void {
      const counts = ({ runner }: PageStep): boolean => options.runner === undefined || runner === options.runner;
      const names = [...pages].flatMap(([name, steps]) => (steps.some(counts) ? [name] : []));
      if (names.length > 0) throw new CommandExitError(`Commands of these guides have not run: ${names.join(", ")}.`);
    },
    [Symbol.asyncDispose]: async () => shell[Symbol.asyncDispose](),
  };
}

export function createExampleReplacer(
  replaced: readonly (readonly [string | RegExp, string])[],
): (page: string) => string {
  return (page) => replaced.reduce((text, [from, to]) => text.replaceAll(from, () => to), page);
}

/**
 * Returns commands that wait until the API on this port is ready and its store is usable. A new API finds no store before a worker has adopted it.
 */
export function waitUntilReady(port: string): string {
  const health = `curl --silent --fail http://127.0.0.1:${port}/health/ready`;
  return `until ${health} | grep --quiet --invert-match mismatch; do sleep 0.5; done`;
}
