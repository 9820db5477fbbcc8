/** Under which the keys of all reports' files lie. */
export const reportsPrefix = "reports/";

// A literal, and not made of the prefix: patterns are analysed where they stand (apps/api/src/security/patterns.test.ts).
const shape = /^reports\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[1-9]\d*-[0-9a-f]{12}(?:\.[a-z0-9]+)+$/;

const reportOf = /^reports\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//;

/** The id of the report in whose name a key is; null where it is in none's. */
export function reportIdOf(key: string): string | null {
  return reportOf.exec(key)?.[1] ?? null;
}

/**
 * Where an attempt stores its file: no two attempts, not even of a report that was started anew, have one key.
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
  return shape.test(key);
}
