import { uuidPattern } from "../../query/uuid-pattern.ts";

/** Under which the keys of all reports' files lie. */
export const reportsPrefix = "reports/";

// A literal: patterns are analysed where they stand (apps/api/src/security/patterns.test.ts).
const attemptPattern = /^[1-9]\d*-[0-9a-f]{12}(?:\.[a-z0-9]+)+$/;

/** The id of the report in whose name a key is; null where it is in none's. */
export function reportIdOf(key: string): string | null {
  const [prefix, id = "", rest] = key.split("/", 3);
  return `${prefix}/` === reportsPrefix && uuidPattern.test(id) && rest !== undefined ? id : null;
}

/**
 * Where an attempt stores its file: no two attempts, not even of a report that was started again, share a key.
 * @param random 12 hexadecimal digits
 */
export function storageKeyOf(
  report: { readonly id: string; readonly attempt: number },
  random: string,
  extension: string,
): string {
  return `${reportsPrefix}${report.id}/${report.attempt}-${random}.${extension}`;
}

/** Whether an attempt may have stored a file under the key. Whatever lies beside such files is somebody else's. */
export function isStorageKey(key: string): boolean {
  const id = reportIdOf(key);
  return id !== null && attemptPattern.test(key.slice(reportsPrefix.length + id.length + 1));
}
