import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Migrates the database in a new process, because this process still has the old sources loaded. Prints errors and never rejects. */
export async function migrateInNewProcess(options: {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  say(message: string): void;
}): Promise<void> {
  const { root, environment, signal, say } = options;
  const command = join(root, "packages", "db", "src", "commands", "migrate.ts");
  const args = ["--conditions=@reports/source", command];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, env: environment, signal });
    say("The database is migrated to the sources.");
  } catch (error) {
    const { stderr = "" } = error as { readonly stderr?: string };
    const lastLine = stderr.trim().split("\n").at(-1)!;
    if (!signal.aborted)
      say(`${lastLine} API and worker start on it as it is; save the migration again once it is fixed.`);
  }
}
