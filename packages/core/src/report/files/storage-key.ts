import { uuidPattern } from "../../query/uuid-pattern.ts";

export const reportsPrefix = "reports/";

// A literal, because patterns are analysed where they are written (apps/api/src/security/patterns.test.ts).
const attemptPattern = /^[1-9]\d*-[0-9a-f]{12}(?:\.[a-z0-9]+)+$/;

/** Returns the report's ID in a key; null if there is none. */
export function reportIdOf(key: string): string | null {
  const [prefix, id = "", rest] = key.split("/", 3);
  return `${prefix}/` === reportsPrefix && uuidPattern.test(id) && rest !== undefined ? id : null;
}

/** Makes a unique key per attempt, also of a restarted report. `random` is 12 hexadecimal digits. */
export function storageKeyOf(
  report: { readonly id: string; readonly attempt: number },
  random: string,
  extension: string,
): string {
  return `${reportsPrefix}${report.id}/${report.attempt}-${random}.${extension}`;
}

/** Reports whether an attempt may have stored a file under the key. Other files belong to someone else. */
export function isStorageKey(key: string): boolean {
  const id = reportIdOf(key);
  return id !== null && attemptPattern.test(key.slice(reportsPrefix.length + id.length + 1));
}
