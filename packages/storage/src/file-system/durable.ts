import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "./system-error.ts";

/** Mode of every stored file. The worker writes the files, and the API may read them as another user of the same group. */
export const storedFileMode = 0o640;

/** Sets the mode of a stored file. Ignores the refusal of a file system that does not support modes, such as SMB. */
export async function setStoredFileMode(path: string): Promise<void> {
  await chmod(path, storedFileMode).catch((error: unknown) => {
    if (!["EPERM", "ENOTSUP"].includes(systemErrorCode(error) ?? "")) throw error;
  });
}

/** Flushes the bytes of a file, or the entries of a folder, to the disk. */
export async function flushPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Creates the folder and its parents, and flushes each new entry to the disk. */
export async function createFolderDurably(path: string): Promise<void> {
  for (const folder of await createFolderUnflushed(path)) await flushPath(folder);
}

/** Creates the folder and its missing parents. Returns the folders in which an entry was created, which the caller must flush to the disk. */
export async function createFolderUnflushed(path: string): Promise<readonly string[]> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return [];
  const top = dirname(first);
  const changed = [dirname(path)];
  while (changed.at(-1)!.length > top.length) changed.push(dirname(changed.at(-1)!));
  return changed;
}
