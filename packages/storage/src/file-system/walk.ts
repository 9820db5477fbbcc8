import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Stats } from "node:fs";
import type { FileStat } from "@reports/core";
import { isPart } from "../key.ts";
import { isMissing } from "./file-error.ts";

/** Marks the name of a file that is still being written; no key contains it. */
export const unfinishedMark = "~";

/** A file below the store's folder, finished or not. */
export interface WalkedFile extends FileStat {
  readonly path: string;
  readonly finished: boolean;
}

/** Every file whose key (or, while it is written, future key) begins with the prefix; one folder entry in memory at a time. */
export async function* walk(directory: string, prefix: string, signal?: AbortSignal): AsyncGenerator<WalkedFile> {
  const slash = prefix.lastIndexOf("/");
  yield* walkFolder(directory, prefix.slice(0, slash + 1), prefix, signal);
}

async function* walkFolder(
  directory: string,
  folder: string,
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<WalkedFile> {
  signal?.throwIfAborted();
  const entries = await opendir(join(directory, folder)).catch(ignoreMissing);
  if (entries === null) return;
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const key = folder + entry.name;
    if (entry.isDirectory()) {
      // No key of ours leads into it, and it may be closed to us.
      if (!isPart(entry.name)) continue;
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`))
        yield* walkFolder(directory, `${key}/`, prefix, signal);
      continue;
    }
    if (!entry.isFile() || !key.startsWith(prefix)) continue;
    const path = join(directory, key);
    // Whatever is removed while we walk is simply not there.
    const stat = await lstat(path).catch(ignoreMissing);
    if (stat === null) continue;
    yield { ...statOf(key, stat), path, finished: !entry.name.includes(unfinishedMark) };
  }
}

function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** What a file's entry in its folder says. Its version is when it was written, in milliseconds: finer times do not survive every file system. */
export function statOf(key: string, stat: Pick<Stats, "size" | "mtime" | "mtimeMs">): FileStat {
  return {
    key,
    sizeBytes: stat.size,
    lastModified: stat.mtime,
    version: String(Math.floor(stat.mtimeMs)),
    sha256: null,
  };
}
