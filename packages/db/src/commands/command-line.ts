import { readFile } from "node:fs/promises";
import { NewerDatabaseError, QueueSchemaMismatchError } from "../migrations/database-version.ts";

export async function readDatabaseUrl(): Promise<string | undefined> {
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
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(" – ");
}

const newerDatabaseExitCode = 3;

export function exitCodeOf(error: unknown): number {
  if (error instanceof NewerDatabaseError) return newerDatabaseExitCode;
  return error instanceof QueueSchemaMismatchError ? 2 : 1;
}
