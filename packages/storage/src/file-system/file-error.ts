import { FileNotFoundError, StoreUnavailableError } from "@reports/core/base";

export function isFileMissingError(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Returns the error code of the system, such as `ENOSPC`, or undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // Codes that begin with ERR_ are errors of Node itself, which mean a bug.
  return code?.startsWith("ERR_") === true ? undefined : code;
}

/** Converts an error of the file system to the error that FileStore promises. Returns other errors unchanged. */
export function toFileSystemStoreError(error: unknown, what: string, key?: string): unknown {
  const code = systemErrorCode(error);
  if (code === undefined || error instanceof FileNotFoundError) return error;
  if (key !== undefined && isFileMissingError(error)) return new FileNotFoundError(key);
  const full = code === "ENOSPC" || code === "EDQUOT";
  const reason = full
    ? "it is full; free space"
    : `the file system answered ${code}; check the disk and its permissions`;
  return new StoreUnavailableError(`The file store could not ${what}: ${reason}.`, { cause: error });
}
