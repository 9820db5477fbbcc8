import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "@reports/runtime";

/** Returns the default of SPOOL_DIR. All workers of an operating-system user share it, so that they find the files of a killed worker. */
export function getDefaultSpoolDirectory(): string {
  return join(tmpdir(), `report-spool-${process.getuid?.() ?? "own"}`);
}

/**
 * Creates the folder for this user alone; its parent is shared and its name can be guessed. Rejects with ConfigurationError if it is a link, another
 * user's, or writable by others.
 */
export async function createPrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn && (found.mode & 0o022) === 0) return;
  const message = `is not set, and ${directory}, which is used then, is not a folder that belongs to this user alone; set it to one that does`;
  throw new ConfigurationError([{ variable: "SPOOL_DIR", message }]);
}
