import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Beginning of the lines that name what is missing; the end of the run repeats each once. */
export const skippedBecause = "Skipped, because this machine has no ";

/** Without `what`, such as `openpyxl (pip install openpyxl)`, tests are skipped, and in CI this throws. */
export function machineHas(what: string, isAvailable: boolean, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (isAvailable) return true;
  if (environment.CI) throw new Error(`CI needs ${what}.`);
  // oxlint-disable-next-line no-console -- What a test writes here reaches the reporter.
  console.warn(`${skippedBecause}${what}.`);
  return false;
}

/** Returns the path of a program on PATH, or in one of the folders; null without one. */
export function findProgram(name: string, folders: readonly string[] = []): string | null {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...folders]) {
    const path = join(folder, name);
    if (folder && isExecutable(path)) return path;
  }
  return null;
}

/** Whether curl commands of documents and `npm start` work here. */
export function hasCurl(): boolean {
  return machineHas("curl (apt-get install curl)", findProgram("curl") !== null);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
