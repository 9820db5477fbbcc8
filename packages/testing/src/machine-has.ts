import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** How each line begins that says what was not there; the run's last lines repeat it, once. */
export const skippedBecause = "Skipped, because this machine has no ";

/**
 * Whether the machine has what some tests need, such as a program or a right. Without it they are skipped, and one line says so; where CI is
 * set, `.ci/run` brings everything, and its absence throws.
 *
 * @param what names it, and in brackets how to get it: `openpyxl (pip install openpyxl)`.
 */
export function machineHas(what: string, isThere: boolean, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (isThere) return true;
  if (environment.CI) throw new Error(`CI needs ${what}.`);
  // oxlint-disable-next-line no-console -- What a test writes here reaches the reporter.
  console.warn(`${skippedBecause}${what}.`);
  return false;
}

/** The path of a program on PATH, or in one of the folders that are looked at after it; null where there is none. */
export function findProgram(name: string, folders: readonly string[] = []): string | null {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...folders]) {
    const path = join(folder, name);
    if (folder && isExecutable(path)) return path;
  }
  return null;
}

/** Whether commands of curl can be pasted here, as documents and `npm start` print them. */
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
