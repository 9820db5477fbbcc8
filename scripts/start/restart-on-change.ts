import type { StandProcess } from "@reports/testing";

/** What changes of sources act on. */
export interface RestartDeps {
  /** Named as the folders of their apps. */
  readonly programs: readonly Pick<StandProcess, "name" | "restart">[];
  /** Brings the database to the version of the sources; says itself what went wrong. */
  migrate(): Promise<void>;
  /** Builds the console, whose files the API reads when it starts; says itself what went wrong. */
  buildConsole(): Promise<void>;
  say(message: string): void;
  /** When it aborts, the programs are being stopped for good: nothing restarts. */
  readonly signal: AbortSignal;
}

/** What the console is built of; the API serves it. */
const consoleFolders = ["apps/console/", "packages/client/"];
const foldersOf = (name: string): readonly string[] =>
  ["packages/", `apps/${name}/`].concat(name === "api" ? consoleFolders : []);

/**
 * Gives what is to be called with changed sources: programs that are concerned start again, on a migrated database where the database's
 * package has changed. What changes during a migration is handled after it.
 */
export function createRestarts({
  programs,
  migrate,
  buildConsole,
  say,
  signal,
}: RestartDeps): (files: readonly string[]) => Promise<void> {
  let turn = Promise.resolve();
  async function handle(files: readonly string[]): Promise<void> {
    const concerned = programs.filter(({ name }) =>
      files.some((file) => foldersOf(name).some((folder) => file.startsWith(folder))),
    );
    if (concerned.length === 0 || signal.aborted) return;
    if (files.some((file) => file.startsWith("packages/db/"))) await migrate();
    if (files.some((file) => consoleFolders.some((folder) => file.startsWith(folder)))) await buildConsole();
    if (signal.aborted) return;
    say(`${changeText(files)}: restarting ${concerned.map(({ name }) => `the ${name}`).join(" and ")}.`);
    // Not waited for: a worker may take a minute to end in order, and a restart takes whatever changes until its new process starts.
    // A program that does not become ready has logged why, and starts again by itself or at the next change.
    for (const program of concerned) program.restart().catch(() => undefined);
  }
  return (files) => (turn = turn.then(async () => handle(files)));
}

function changeText(files: readonly string[]): string {
  const [first = "", ...others] = files;
  return others.length === 0 ? `${first} has changed` : `${first} and ${others.length} more have changed`;
}
