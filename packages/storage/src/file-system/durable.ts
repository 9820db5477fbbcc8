import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "./file-error.ts";

/**
 * The mode of every stored file, whatever it was written with. The worker writes, and the API, which may run as another user of the same group,
 * reads.
 */
export const storedMode = 0o640;

/** Gives a file that mode, except on file systems that have modes of their own (SMB) and refuse. */
export async function setStoredMode(path: string): Promise<void> {
  await chmod(path, storedMode).catch((error: unknown) => {
    if (!["EPERM", "ENOTSUP"].includes(codeOf(error) ?? "")) throw error;
  });
}

/** Forces a file's bytes, or a folder's entries, to the disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Makes the folder and those above it; each new entry has reached the disk when it returns. */
export async function makeFolder(path: string): Promise<void> {
  for (const folder of await addFolder(path)) await syncPath(folder);
}

/** Makes the folder and those above it, and tells in which there is a new entry by that. */
export async function addFolder(path: string): Promise<readonly string[]> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return [];
  const top = dirname(first);
  const changed = [dirname(path)];
  while (changed.at(-1)!.length > top.length) changed.push(dirname(changed.at(-1)!));
  return changed;
}
