import { FileNotFoundError, StoreUnavailableError } from "@reports/core/base";

export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The system's error code, such as `ENOSPC`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // Node's argument errors (ERR_…) are bugs.
  return code?.startsWith("ERR_") === true ? undefined : code;
}

/** Turns a file system's error into the port's errors; returns others. */
export function toStoreError(error: unknown, what: string, key?: string): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof FileNotFoundError) return error;
  if (key !== undefined && isMissing(error)) return new FileNotFoundError(key);
  const full = code === "ENOSPC" || code === "EDQUOT";
  const reason = full
    ? "it is full; free space"
    : `the file system answered ${code}; check the disk and its permissions`;
  return new StoreUnavailableError(`The file store could not ${what}: ${reason}.`, { cause: error });
}
