import type { StandProcess } from "@reports/testing";

export interface RestartDeps {
  /** Named as the folders of their apps. */
  readonly programs: readonly Pick<StandProcess, "name" | "restart">[];
  /** Migrates the database to the version of the sources, and logs errors. */
  migrate(): Promise<void>;
  /** Builds the console, whose files the API reads at its start, and logs errors. */
  buildConsole(): Promise<void>;
  say(message: string): void;
  /** Aborts when the programs stop for good. */
  readonly signal: AbortSignal;
}

/** Sources of the console, which the API serves. */
const consoleFolders = ["apps/console/", "packages/client/"];
const foldersOf = (name: string): readonly string[] =>
  ["packages/", `apps/${name}/`].concat(name === "api" ? consoleFolders : []);

/** Returns a function that restarts programs with changed sources, after a migration if needed. Changes during a migration wait for it. */
export function createRestarts({
  programs,
  migrate,
  buildConsole,
  say,
  signal,
}: RestartDeps): (files: readonly string[]) => Promise<void> {
  let previous = Promise.resolve();
  async function handle(files: readonly string[]): Promise<void> {
    const concerned = programs.filter(({ name }) =>
      files.some((file) => foldersOf(name).some((folder) => file.startsWith(folder))),
    );
    if (concerned.length === 0 || signal.aborted) return;
    if (files.some((file) => file.startsWith("packages/db/"))) await migrate();
    if (files.some((file) => consoleFolders.some((folder) => file.startsWith(folder)))) await buildConsole();
    if (signal.aborted) return;
    say(`${changeText(files)}: restarting ${concerned.map(({ name }) => `the ${name}`).join(" and ")}.`);
    // Not awaited: a worker may take a minute to end. A program that does not become ready logs why, and is started again.
    for (const program of concerned) program.restart().catch(() => undefined);
  }
  return (files) => (previous = previous.then(async () => handle(files)));
}

function changeText(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? `${first} has changed` : `${first} and ${others.length} more have changed`;
}
