import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { awaitUnlessAborted, type PutFile } from "@reports/core/base";
import { copyFinishedFile } from "./copy-file.ts";
import { createFolderUnflushed, setStoredFileMode, storedFileMode } from "./durable.ts";
import type { LimitedFileCalls } from "./limited-file-calls.ts";
import { systemErrorCode, isFileMissingError } from "./system-error.ts";
import type { FlushFolder } from "./shared-flush.ts";
import { unfinishedFileMarker } from "./stat-files.ts";

const maxFolderAttempts = 20;

/** Renames a finished file to its target, or copies it from another file system. Returns the stats of the stored file. */
export async function moveIntoStore(
  calls: LimitedFileCalls,
  flushFolder: FlushFolder,
  file: PutFile,
  found: Stats,
  target: string,
): Promise<Stats> {
  const folder = dirname(target);
  const { signal } = file;
  const changed = new Set([folder]);
  let stored = found;
  try {
    if ((found.mode & 0o777) !== storedFileMode)
      await calls.mutate(async () => setStoredFileMode(file.path), { signal });
    await retryInFolder(calls, file, folder, changed, async () =>
      calls.mutate(async () => rename(file.path, target), { signal }),
    );
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
    await copyIntoStore(calls, file, target, changed);
    stored = await calls.read(target, async () => lstat(target));
  }
  try {
    const flushing = Promise.all([...changed].map(async (path) => flushFolder(path)));
    await (signal === undefined ? flushing : awaitUnlessAborted(flushing, signal));
    signal?.throwIfAborted();
  } catch (error) {
    await calls.mutate(async () => rm(target, { force: true }));
    throw error;
  }
  return stored;
}

async function copyIntoStore(
  calls: LimitedFileCalls,
  file: PutFile,
  target: string,
  changed: Set<string>,
): Promise<void> {
  const folder = dirname(target);
  const { signal } = file;
  const temporary = `${folder}/${createUnfinishedFileName(target.slice(folder.length + 1))}`;
  let isMade = false;
  const copy = async (): Promise<void> => copyFinishedFile(calls, file, temporary, () => (isMade = true));
  try {
    await retryInFolder(calls, file, folder, changed, copy);
    // While the temporary file is in the folder, no concurrent `remove` can delete that folder as empty.
    await calls.mutate(async () => rename(temporary, target), { signal });
  } catch (error) {
    if (isMade) await calls.mutate(async () => rm(temporary, { force: true }));
    throw error;
  }
  await rm(file.path, { force: true });
}

/**
 * Creates the folder and runs `work`. Repeats this if a concurrent `remove` has deleted the empty folder. Adds the folders in which an entry was
 * created to `changed`.
 */
async function retryInFolder(
  calls: LimitedFileCalls,
  file: PutFile,
  folder: string,
  changed: Set<string>,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      for (const above of await calls.mutate(async () => createFolderUnflushed(folder), { signal: file.signal }))
        changed.add(above);
      await work();
      return;
    } catch (error) {
      // Node's recursive mkdir also fails with ENOTDIR if a folder vanishes during the call. If a file has the name of the folder, every attempt
      // fails.
      if (!isFileMissingError(error) || attempt === maxFolderAttempts) throw error;
      // `lstat` throws if the local file is missing. Another attempt would not help then.
      await calls.read(file.path, async () => lstat(file.path));
    }
  }
}

/** Returns a temporary name, which no key contains. */
export function createUnfinishedFileName(name: string): string {
  return `${name}${unfinishedFileMarker}${randomBytes(8).toString("hex")}`;
}
