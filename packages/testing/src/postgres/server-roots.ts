import { accessSync, constants } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** A file system in memory, on Linux. */
const inMemory = "/dev/shm";
/** What must be free there: five times what a run of all tests was seen to take. */
const roomBytes = 2 * 2 ** 30;

/** The folders below which throw-away servers may keep their data, folders called `reports-…`. */
export function serverRoots(): readonly string[] {
  return isUsable(inMemory) ? [tmpdir(), inMemory] : [tmpdir()];
}

/**
 * Where a server should keep data that need not outlive it: in memory where there is room, because a copy of a database is hundreds of small
 * files, which cost ext4 up to ten times the processor time; else where temporary files are.
 */
export async function roomForServers(): Promise<string> {
  if (!serverRoots().includes(inMemory)) return tmpdir();
  const { bavail, bsize } = await statfs(inMemory);
  return bavail * bsize >= roomBytes ? inMemory : tmpdir();
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
