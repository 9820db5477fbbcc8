import { readFile } from "node:fs/promises";
import { DomainError, StoreUnavailableError } from "@reports/core/base";

/**
 * Thrown to end a command. `message` is printed on standard error without a stack. The exit code is 2 for wrong usage, and 1 for any other failure.
 */
export class CommandExitError extends Error {
  override readonly name = "CommandExitError";
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface CommandContext {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export async function runCommand(work: (context: CommandContext) => Promise<void>): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // If the reader of standard output ends early, as `head` does, the command ends without a message.
    if (error.code !== "EPIPE") process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  try {
    await work({ args: process.argv.slice(2), environment: process.env, signal: interrupt.signal });
  } catch (error) {
    const isInterrupted = interrupt.signal.aborted;
    process.exitCode = isInterrupted ? 130 : exitCodeOf(error);
    process.stderr.write(`${isInterrupted ? "Interrupted; nothing was changed." : describeFailure(error)}\n`);
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof StoreUnavailableError) {
    return `The database cannot be used: ${joinCauses(error)}\nCheck that DATABASE_URL names a running Postgres that accepts this user.`;
  }
  if (error instanceof CommandExitError || error instanceof DomainError) return error.message;
  if (isUsageError(error)) return `${error.message}\nSee --help.`;
  if (error instanceof Error && "code" in error && error.code === "42P01") {
    return "The database has no tables of this program yet. Run the migrations first: `migrate` (in a checkout `pnpm operate migrate`).";
  }
  return `This should not have happened: ${joinCauses(error)}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandExitError) return error.exitCode;
  return isUsageError(error) ? 2 : 1;
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

function joinCauses(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  return messages.join(" – ");
}

export async function readDatabaseUrl(environment: CommandContext["environment"]): Promise<string> {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file } = environment;
  if (url !== undefined && url !== "") return url;
  if (file === undefined || file === "") {
    throw new CommandExitError(
      "DATABASE_URL is not set. Set it to the service's database: postgres://user:password@host:5432/reports",
      2,
    );
  }
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new CommandExitError(`DATABASE_URL_FILE cannot be read: ${(error as Error).message}`, 2);
  }
}
