import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Dir, Dirent, Stats } from "node:fs";
import type { FileStat } from "@reports/core/base";
import { isKeyPart } from "../key.ts";
import type { FileCalls } from "./file-calls.ts";
import { isMissingError } from "./file-error.ts";

/** Part of the name of unfinished files. No key contains it. */
export const unfinishedMarker = "~";

export interface WalkedFile extends FileStat {
  readonly path: string;
  readonly finished: boolean;
}

/** Lists files, also unfinished ones, whose key begins with the prefix. Holds one folder entry at a time in memory. */
export async function* walkFiles(
  calls: FileCalls,
  directory: string,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<WalkedFile> {
  const slash = prefix.lastIndexOf("/");
  yield* walkFolder(calls, directory, prefix.slice(0, slash + 1), prefix, signal);
}

async function* walkFolder(
  calls: FileCalls,
  directory: string,
  folder: string,
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<WalkedFile> {
  signal?.throwIfAborted();
  const path = join(directory, folder);
  const discard = (late: Dir): void => calls.close(late);
  const entries = await calls.read(path, async () => opendir(path), { signal, discard }).catch(ignoreMissingError);
  if (entries === null) return;
  let reading: Promise<Dirent | null> | undefined;
  const readNext = async (): Promise<Dirent | null> =>
    calls.read(path, async () => (reading = entries.read()), { signal });
  try {
    yield* walkEntries(calls, { readNext, directory, folder }, prefix, signal);
  } finally {
    calls.close(entries, reading);
  }
}

async function* walkEntries(
  calls: FileCalls,
  {
    readNext,
    directory,
    folder,
  }: { readonly readNext: () => Promise<Dirent | null>; readonly directory: string; readonly folder: string },
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<WalkedFile> {
  for (let entry = await readNext(); entry !== null; entry = await readNext()) {
    signal?.throwIfAborted();
    const key = folder + entry.name;
    if (entry.isDirectory()) {
      // No key contains such a name, and the folder may not be readable, such as `lost+found`.
      if (!isKeyPart(entry.name)) continue;
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`))
        yield* walkFolder(calls, directory, `${key}/`, prefix, signal);
      continue;
    }
    if (!entry.isFile() || !key.startsWith(prefix)) continue;
    const path = join(directory, key);
    // Skips a file that was removed after the folder was read.
    const stat = await calls.read(path, async () => lstat(path), { signal }).catch(ignoreMissingError);
    if (stat === null) continue;
    yield { ...toFileStat(key, stat), path, finished: !entry.name.includes(unfinishedMarker) };
  }
}

function ignoreMissingError(error: unknown): null {
  if (isMissingError(error)) return null;
  throw error;
}

/** Describes a file. Its version is the modification time in milliseconds, because some file systems store no finer times. */
export function toFileStat(key: string, stat: Pick<Stats, "size" | "mtime" | "mtimeMs">): FileStat {
  return {
    key,
    sizeBytes: stat.size,
    lastModified: stat.mtime,
    version: String(Math.floor(stat.mtimeMs)),
    sha256: null,
  };
}
