import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileStat } from "@reports/core/base";
import { isKeyPart } from "../key.ts";
import { nullIfMissing } from "./system-error.ts";

/** Part of the names of unfinished files, which no key contains. */
export const unfinishedFileMarker = "~";

export interface WalkedFile extends FileStat {
  readonly path: string;
}

/** Which files of a folder a walk lists. */
export interface ListedFiles {
  readonly directory: string;
  readonly prefix: string;
  /** If true, only finished files are listed; if false, only unfinished ones. */
  readonly finished: boolean;
}

/** Keys of files, and keys of folders, which end with a slash. */
export interface StatFilesTask extends ListedFiles {
  readonly keys: readonly string[];
  /** If true, the files in small folders are read, too. */
  readonly areFoldersSmall: boolean;
}

export interface FileStats {
  readonly found: readonly (WalkedFile | string)[];
  /** Number of keys that this task has completed. */
  readonly count: number;
}

/** Calls of the file system. A thread passes synchronous ones. */
export interface FolderCalls {
  lstat(path: string): Stats | Promise<Stats>;
  readdir(path: string, options: { readonly withFileTypes: true }): Dirent[] | Promise<Dirent[]>;
}

/**
 * A task begins no further key after this many files or `taskMs` milliseconds. So it reaches its deadline only if the file system hangs, or on a
 * machine without free processor time.
 */
export const filesPerTask = 256;
const taskMs = 100;
/** A subfolder with more names than this is not read in the same task as others. */
const maxNamesAtOnce = 64;

/**
 * Describes the files of `keys`, and the files in small folders. A large folder is returned as its key. Ends early after `filesPerTask` files or
 * `taskMs` milliseconds.
 */
export async function statFiles(task: StatFilesTask, calls: FolderCalls = { lstat, readdir }): Promise<FileStats> {
  const { keys, areFoldersSmall } = task;
  const found: (WalkedFile | string)[] = [];
  const until = performance.now() + taskMs;
  let count = 0;
  do {
    const key = keys[count++]!;
    const inside = isFolder(key) && areFoldersSmall ? await readSmallFolder(task, key, calls) : [key];
    for (const one of inside) {
      const file = isFolder(one) ? one : await describe(task, one, calls);
      if (file !== null) found.push(file);
    }
  } while (count < keys.length && found.length < filesPerTask && performance.now() < until);
  return { found, count };
}

async function readSmallFolder(task: StatFilesTask, folder: string, calls: FolderCalls): Promise<readonly string[]> {
  const path = join(task.directory, folder);
  const entries = (await nullIfMissing(() => calls.readdir(path, { withFileTypes: true }))) ?? [];
  if (entries.length > maxNamesAtOnce) return [folder];
  return entries.flatMap((entry) => keyOf(task, folder, entry)).toSorted();
}

async function describe({ directory }: StatFilesTask, key: string, calls: FolderCalls): Promise<WalkedFile | null> {
  const path = join(directory, key);
  const stat = await nullIfMissing(() => calls.lstat(path));
  return stat === null ? null : { ...fileStatFromStats(key, stat), path };
}

/** Returns the key of an entry as a list of one, with a final slash for a folder. Returns an empty list for an entry that is not listed. */
export function keyOf({ prefix, finished }: ListedFiles, folder: string, entry: Dirent): readonly string[] {
  const { name } = entry;
  // A folder whose name no key can contain is skipped, because it may not be readable, such as `lost+found`.
  const isListed = entry.isDirectory()
    ? isKeyPart(name)
    : entry.isFile() && name.includes(unfinishedFileMarker) !== finished;
  const key = entry.isDirectory() ? `${folder}${name}/` : folder + name;
  return isListed && key.startsWith(prefix) ? [key] : [];
}

export function isFolder(key: string): boolean {
  return key.endsWith("/");
}

/** Describes a file. Its version is the modification time in whole milliseconds, because some file systems store no finer times. */
export function fileStatFromStats(key: string, stat: Pick<Stats, "size" | "mtime" | "mtimeMs">): FileStat {
  return {
    key,
    sizeBytes: stat.size,
    lastModified: stat.mtime,
    version: String(Math.floor(stat.mtimeMs)),
    sha256: null,
  };
}
