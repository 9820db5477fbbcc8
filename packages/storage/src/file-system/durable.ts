import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "./file-error.ts";

/** The mode of every stored file. The worker writes; the API, perhaps another user of the same group, reads. */
export const storedMode = 0o640;

/** Sets that mode, except where a file system with its own modes (SMB) refuses. */
export async function setStoredMode(path: string): Promise<void> {
  await chmod(path, storedMode).catch((error: unknown) => {
    if (!["EPERM", "ENOTSUP"].includes(codeOf(error) ?? "")) throw error;
  });
}

/** Syncs a file's bytes, or a folder's entries. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Makes the folder and its parents; each new entry is synced. */
export async function makeFolder(path: string): Promise<void> {
  for (const folder of await addFolder(path)) await syncPath(folder);
}

/** Makes the folder and its parents, and returns those with a new entry. */
export async function addFolder(path: string): Promise<readonly string[]> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return [];
  const top = dirname(first);
  const changed = [dirname(path)];
  while (changed.at(-1)!.length > top.length) changed.push(dirname(changed.at(-1)!));
  return changed;
}
