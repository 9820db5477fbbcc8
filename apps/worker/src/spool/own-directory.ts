import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "@reports/runtime";

/** Where the spool is unless SPOOL_DIR says so: the same for all workers of one user, so that they find what a killed one has left. */
export function ownSpoolDirectory(): string {
  return join(tmpdir(), `report-spool-${process.getuid?.() ?? "own"}`);
}

/**
 * Makes a folder whose name anybody can guess, in one where anybody may write. Rejects with ConfigurationError where it is somebody else's
 * already, leads elsewhere or is open to others: they could read and exchange the files in it.
 */
export async function makeOwnDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn && (found.mode & 0o022) === 0) return;
  const message = `is not set, and ${directory}, which is used then, is not a folder that belongs to this user alone; set it to one that does`;
  throw new ConfigurationError([{ variable: "SPOOL_DIR", message }]);
}
