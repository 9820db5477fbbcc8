import { FileNotFoundError, StoreUnavailableError } from "@reports/core/base";

/** Whether the error says that the file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The system's error code, such as `ENOSPC`; undefined when the error did not come from the system. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // Node's own argument errors (ERR_…) are bugs and no state of the disk.
  return code?.startsWith("ERR_") === true ? undefined : code;
}

/** Turns an error of the file system into the port's errors; anything else is handed on as it is. */
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
