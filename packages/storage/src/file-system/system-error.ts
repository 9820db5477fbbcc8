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

/** Returns what the call of the file system returns, or null if the file or folder does not exist. */
export async function nullIfMissing<Result>(call: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    if (isFileMissingError(error)) return null;
    throw error;
  }
}
