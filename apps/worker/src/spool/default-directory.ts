import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "@reports/runtime";

/** Returns the default of SPOOL_DIR. It is the same for all workers of a user, so that they find the files of a killed worker. */
export function defaultSpoolDirectory(): string {
  return join(tmpdir(), `report-spool-${process.getuid?.() ?? "own"}`);
}

/** Creates a folder with a predictable name in a shared folder. Rejects with ConfigurationError if it is a link, belongs to another user, or others can write to it. */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn && (found.mode & 0o022) === 0) return;
  const message = `is not set, and ${directory}, which is used then, is not a folder that belongs to this user alone; set it to one that does`;
  throw new ConfigurationError([{ variable: "SPOOL_DIR", message }]);
}
