import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { causesOf } from "../database/store-error.ts";
import { NewerDatabaseError, QueueSchemaMismatchError } from "../migrations/database-version.ts";

/** Prints the help of a command, or calls `run` with the URL of the database. Returns the exit code. */
export async function runDatabaseCommand(
  { help, flags = [], databaseText }: { help: string; flags?: readonly string[]; databaseText: string },
  run: (databaseUrl: string, isSet: (flag: string) => boolean) => Promise<number>,
): Promise<number> {
  let values: Readonly<Record<string, unknown>>;
  try {
    const named = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" } as const]));
    ({ values } = parseArgs({ options: { ...named, help: { type: "boolean", short: "h" } } }));
  } catch (error) {
    return printErrorForExit(`${describeErrorChain(error)}\n\n${help}`, 2);
  }
  if (values["help"] === true) {
    process.stdout.write(help);
    return 0;
  }
  const databaseUrl = await readDatabaseUrl();
  if (databaseUrl === undefined) return printErrorForExit(`DATABASE_URL is not set. Set it to ${databaseText}.`, 2);
  return run(databaseUrl, (flag) => values[flag] === true);
}

async function readDatabaseUrl(): Promise<string | undefined> {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file } = process.env;
  if (url !== undefined && url !== "") return url;
  if (file === undefined || file === "") return undefined;
  return (await readFile(file, "utf8")).trim();
}

export function printErrorForExit(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}

export function describeErrorChain(error: unknown): string {
  return [...causesOf(error)].map(({ message }) => message).join(" – ");
}

const newerDatabaseExitCode = 3;

export function exitCodeOf(error: unknown): number {
  if (error instanceof NewerDatabaseError) return newerDatabaseExitCode;
  return error instanceof QueueSchemaMismatchError ? 2 : 1;
}
