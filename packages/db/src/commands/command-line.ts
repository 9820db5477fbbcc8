import { readFile } from "node:fs/promises";

/** The database's URL, out of DATABASE_URL or the file in DATABASE_URL_FILE; undefined where neither is set. */
export async function readDatabaseUrl(): Promise<string | undefined> {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file } = process.env;
  if (url !== undefined && url !== "") return url;
  if (file === undefined || file === "") return undefined;
  return (await readFile(file, "utf8")).trim();
}

/** Writes a line to standard error and gives the exit code back. */
export function complain(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}

/** What went wrong and why, down to the first cause. */
export function messageOf(error: unknown): string {
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(" – ");
}
