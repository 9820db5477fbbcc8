import { accessSync, constants } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const inMemoryRoot = "/dev/shm";
/** Required free space in bytes: five times what a run of all tests uses. */
const minFreeBytes = 2 * 2 ** 30;

export function listTemporaryServerRoots(): readonly string[] {
  return isUsable(inMemoryRoot) ? [tmpdir(), inMemoryRoot] : [tmpdir()];
}

/** Returns the in-memory file system if it has space, else the temporary folder. On ext4, cloning takes up to ten times the processor time. */
export async function chooseTemporaryServerRoot(): Promise<string> {
  if (!listTemporaryServerRoots().includes(inMemoryRoot)) return tmpdir();
  const { bavail, bsize } = await statfs(inMemoryRoot);
  return bavail * bsize >= minFreeBytes ? inMemoryRoot : tmpdir();
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
