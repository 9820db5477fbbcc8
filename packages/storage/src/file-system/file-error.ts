import { FileNotFoundError, StoreUnavailableError } from "@reports/core/base";
import { isFileMissingError, systemErrorCode } from "./system-error.ts";

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
