import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Beginning of each line that names a missing program. closing-lines-reporter.ts prints each such line once at the end of the run. */
export const skipReasonPrefix = "Skipped, because this machine has no ";

/** Returns `isAvailable`. If it is false, logs that tests need `what`, such as `openpyxl (pip install openpyxl)`. In CI, throws instead. */
export function isAvailableOrThrowInCi(
  what: string,
  isAvailable: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  if (isAvailable) return true;
  if (environment.CI) throw new Error(`CI needs ${what}.`);
  // oxlint-disable-next-line no-console -- The reporter reads this line.
  console.warn(`${skipReasonPrefix}${what}.`);
  return false;
}

export function findProgramPath(name: string, folders: readonly string[] = []): string | null {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...folders]) {
    const path = join(folder, name);
    if (folder && isExecutable(path)) return path;
  }
  return null;
}

export function hasCurl(): boolean {
  return isAvailableOrThrowInCi("curl (apt-get install curl)", findProgramPath("curl") !== null);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
