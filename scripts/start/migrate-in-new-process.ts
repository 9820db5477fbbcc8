import { execFile } from "node:child_process";
import { join } from "node:path";

/** Migrates the database in a new process, because this process still has the old sources loaded. Prints errors and never rejects. */
export async function migrateInNewProcess(options: {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  say(message: string): void;
}): Promise<void> {
  const { root, environment, signal, say } = options;
  const command = join(root, "packages", "db", "src", "commands", "migrate.ts");
  await new Promise<void>((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=@reports/source", command],
      { cwd: root, env: environment, signal },
      (error, _stdout, stderr) => {
        if (error === null) say("The database is migrated to the sources.");
        else if (!signal.aborted)
          say(`${lastLine(stderr)} API and worker start on it as it is; save the migration again once it is fixed.`);
        resolve();
      },
    );
  });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
