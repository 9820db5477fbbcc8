import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

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
