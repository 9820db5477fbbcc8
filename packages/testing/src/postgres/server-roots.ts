import { accessSync, constants } from "node:fs";
import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionVariable } from "../databases/share-in-test-run.ts";

const inMemoryRoot = "/dev/shm";
/** Required free space in bytes: three times what a run of all tests in CI uses. */
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

/** Creates a folder for a temporary server. In a test run, it is in the session folder, which a later run removes if this one is killed. */
export async function createTemporaryServerFolder(prefix: `reports-${string}-`): Promise<string> {
  return mkdtemp(join(process.env[sessionVariable] || tmpdir(), prefix));
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
