import type { StandProcess } from "@reports/testing";

export interface SourceRestarterDeps {
  /** Running programs. Each is named like its folder in apps/. */
  readonly programs: readonly Pick<StandProcess, "name" | "restart">[];
  migrate(): Promise<void>;
  /** Builds the console before the API starts, because the API reads its files at the start. Logs errors and never rejects. */
  buildConsole(): Promise<void>;
  say(message: string): void;
  readonly signal: AbortSignal;
}

const consoleFolders = ["apps/console/", "packages/client/"];
const foldersOf = (name: string): readonly string[] =>
  ["packages/", `apps/${name}/`].concat(name === "api" ? consoleFolders : []);

/**
 * Returns a function that restarts the programs whose sources changed. Before that, it migrates the database if a source of packages/db changed.
 * Calls run one after another.
 */
export function createSourceRestarter(deps: SourceRestarterDeps): (files: readonly string[]) => Promise<void> {
  const { programs, migrate, buildConsole, say, signal } = deps;
  let previous = Promise.resolve();
  async function handle(files: readonly string[]): Promise<void> {
    const affected = programs.filter(({ name }) =>
      files.some((file) => foldersOf(name).some((folder) => file.startsWith(folder))),
    );
    if (affected.length === 0 || signal.aborted) return;
    if (files.some((file) => file.startsWith("packages/db/"))) await migrate();
    if (files.some((file) => consoleFolders.some((folder) => file.startsWith(folder)))) await buildConsole();
    if (signal.aborted) return;
    say(`${changeText(files)}: restarting ${affected.map(({ name }) => `the ${name}`).join(" and ")}.`);
    // A worker may take a minute to end, so the restart is not awaited. If a program does not become ready, it logs the reason, and its supervisor
    // starts it again.
    for (const program of affected) program.restart().catch(() => undefined);
  }
  return (files) => (previous = previous.then(async () => handle(files)));
}

function changeText(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? `${first} has changed` : `${first} and ${others.length} more have changed`;
}
