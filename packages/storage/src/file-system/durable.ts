import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Forces a file's bytes, or a folder's entries, to the disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Makes the folder and those above it; each new entry has reached the disk when it returns. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const top = dirname(first);
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    await syncPath(folder);
    if (folder === top) return;
  }
}
