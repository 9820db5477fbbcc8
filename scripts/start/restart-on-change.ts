import type { StandProcess } from "@reports/testing";

export interface RestartDeps {
  /** Running programs. The name of each is the name of its folder in apps/. */
  readonly programs: readonly Pick<StandProcess, "name" | "restart">[];
  /** Migrates the database to the version of the sources. Logs errors and does not reject. */
  migrate(): Promise<void>;
  /** Builds the console, whose files the API reads at its start. Logs errors and does not reject. */
  buildConsole(): Promise<void>;
  say(message: string): void;
  /** Aborts when `npm start` stops, after which nothing is restarted. */
  readonly signal: AbortSignal;
}

const consoleFolders = ["apps/console/", "packages/client/"];
const foldersOf = (name: string): readonly string[] =>
  ["packages/", `apps/${name}/`].concat(name === "api" ? consoleFolders : []);

/**
 * Returns a function that restarts the programs whose sources changed. If a source of packages/db changed, it first migrates the database.
 * Later changes wait for the migration.
 */
export function createRestarts({
  programs,
  migrate,
  buildConsole,
  say,
  signal,
}: RestartDeps): (files: readonly string[]) => Promise<void> {
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
    // The restart is not awaited, because a worker may take a minute to end. A program that does not become ready logs the reason, and is started again.
    for (const program of affected) program.restart().catch(() => undefined);
  }
  return (files) => (previous = previous.then(async () => handle(files)));
}

function changeText(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? `${first} has changed` : `${first} and ${others.length} more have changed`;
}
