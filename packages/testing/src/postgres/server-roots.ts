import { accessSync, constants } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** A file system in memory, on Linux. */
const inMemory = "/dev/shm";
/** Free space needed there: five times what a run of all tests took. */
const minFreeBytes = 2 * 2 ** 30;

/** Folders in which throw-away servers may keep their data, in folders called `reports-…`. */
export function serverRoots(): readonly string[] {
  return isUsable(inMemory) ? [tmpdir(), inMemory] : [tmpdir()];
}

/** In memory if there is space: copying the small files of a database costs ext4 up to ten times the processor time. */
export async function chooseServerRoot(): Promise<string> {
  if (!serverRoots().includes(inMemory)) return tmpdir();
  const { bavail, bsize } = await statfs(inMemory);
  return bavail * bsize >= minFreeBytes ? inMemory : tmpdir();
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
