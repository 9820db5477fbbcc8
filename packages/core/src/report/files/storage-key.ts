import { uuidPattern } from "../../query/uuid-pattern.ts";

export const reportStorageKeyPrefix = "reports/";

// Must be a regular expression literal: apps/api/src/security/patterns.test.ts analyses only literals.
const attemptPattern = /^[1-9]\d*-[0-9a-f]{12}(?:\.[a-z0-9]+)+$/;

export function reportIdOfStorageKey(key: string): string | null {
  const [prefix, id = "", rest] = key.split("/", 3);
  return `${prefix}/` === reportStorageKeyPrefix && uuidPattern.test(id) && rest !== undefined ? id : null;
}

/** Returns a unique file key for an attempt. `random` is 12 hexadecimal digits, so that a repeated attempt number gets another key. */
export function createStorageKey(
  report: { readonly id: string; readonly attempt: number },
  random: string,
  extension: string,
): string {
  return `${reportStorageKeyPrefix}${report.id}/${report.attempt}-${random}.${extension}`;
}

export function isStorageKey(key: string): boolean {
  const id = reportIdOfStorageKey(key);
  return id !== null && attemptPattern.test(key.slice(reportStorageKeyPrefix.length + id.length + 1));
}
