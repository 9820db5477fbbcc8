import { lstat, opendir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Dir, Dirent, Stats } from "node:fs";
import type { FileStat } from "@reports/core/base";
import { isKeyPart } from "../key.ts";
import type { LimitedFileCalls } from "./limited-file-calls.ts";
import { isFileMissingError } from "./file-error.ts";

/** Part of the names of unfinished files, which no key contains. */
export const unfinishedFileMarker = "~";

export interface WalkedFile extends FileStat {
  readonly path: string;
}

export interface WalkOptions {
  /** If true, only finished files are listed; if false, only unfinished ones. */
  readonly finished: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of names in memory. A folder with more names is read several times. Default: 100,000. */
  readonly maxNames?: number;
}

interface Walk extends WalkOptions {
  readonly calls: LimitedFileCalls;
  readonly directory: string;
  readonly prefix: string;
}

const namesPerCall = 1_000;
/** A call of the file system ends after this many files or `callMs` milliseconds. So a call reaches its deadline only if the file system hangs. */
const filesPerCall = 256;
const callMs = 100;
/**
 * If a folder has more subfolders than this, the walk expects each to be small, and reads many of them in one call. A single subfolder can be
 * large.
 */
const fewFolders = 16;
/** A subfolder with more names than this is not read in the same call as others. */
const maxNamesAtOnce = 64;

/** Lists the files whose key begins with the prefix, in the order of their keys. */
export async function* walkFiles(
  calls: LimitedFileCalls,
  directory: string,
  prefix: string,
  options: WalkOptions,
): AsyncGenerator<WalkedFile> {
  yield* walkFolder({ calls, directory, prefix, ...options }, prefix.slice(0, prefix.lastIndexOf("/") + 1));
}

async function* walkFolder(walking: Walk, folder: string): AsyncGenerator<WalkedFile> {
  const { calls, directory, signal } = walking;
  for await (const keys of keysInOrder(walking, folder)) {
    const areFoldersSmall = keys.filter(isFolder).length > fewFolders;
    for (let at = 0; at < keys.length;) {
      signal?.throwIfAborted();
      const read = async () => readSome(walking, keys, at, areFoldersSmall);
      const { found, next } = await calls.read(join(directory, folder), read, { signal });
      at = next;
      for (const one of found) {
        if (typeof one === "string") yield* walkFolder(walking, one);
        else yield one;
      }
    }
  }
}

/**
 * Describes the files of `keys` from the position `from` on, and the files in small subfolders. A large subfolder is returned as its key. Ends
 * early after `filesPerCall` files or `callMs`.
 */
async function readSome(walking: Walk, keys: readonly string[], from: number, areFoldersSmall: boolean) {
  const found: (WalkedFile | string)[] = [];
  const until = performance.now() + callMs;
  let next = from;
  do {
    const key = keys[next++]!;
    const inside = isFolder(key) && areFoldersSmall ? await readSmallFolder(walking, key) : [key];
    for (const one of inside) {
      const file = isFolder(one) ? one : await describe(walking, one);
      if (file !== null) found.push(file);
    }
  } while (next < keys.length && found.length < filesPerCall && performance.now() < until);
  return { found, next };
}

async function readSmallFolder(walking: Walk, folder: string): Promise<readonly string[]> {
  const path = join(walking.directory, folder);
  const entries = (await readdir(path, { withFileTypes: true }).catch(ignoreMissingError)) ?? [];
  if (entries.length > maxNamesAtOnce) return [folder];
  return entries.flatMap((entry) => keyOf(walking, folder, entry)).toSorted();
}

async function describe({ directory }: Walk, key: string): Promise<WalkedFile | null> {
  const path = join(directory, key);
  const stat = await lstat(path).catch(ignoreMissingError);
  return stat === null ? null : { ...fileStatFromStats(key, stat), path };
}

async function* keysInOrder(walking: Walk, folder: string): AsyncGenerator<readonly string[]> {
  const { maxNames = 100_000 } = walking;
  for (let after = ""; ;) {
    const keys: string[] = [];
    let isCut = false;
    const cut = (): void => {
      keys.sort();
      isCut ||= keys.length > maxNames;
      keys.length = Math.min(keys.length, maxNames);
    };
    for await (const page of readPages(walking, folder)) {
      for (const key of page) if (key > after) keys.push(key);
      if (keys.length >= 2 * maxNames) cut();
    }
    cut();
    yield keys;
    if (!isCut) return;
    after = keys.at(-1)!;
  }
}

async function* readPages(walking: Walk, folder: string): AsyncGenerator<readonly string[]> {
  const { calls, directory, signal } = walking;
  const path = join(directory, folder);
  signal?.throwIfAborted();
  const open = async (): Promise<Dir> => opendir(path, { bufferSize: namesPerCall });
  const discard = (late: Dir): void => calls.close(late);
  const opened = await calls.read(path, open, { signal, discard }).catch(ignoreMissingError);
  if (opened === null) return;
  let reading: ReturnType<typeof readPage> | undefined;
  try {
    for (let isEnd = false; !isEnd;) {
      const page = await calls.read(path, async () => (reading = readPage(walking, folder, opened)), { signal });
      yield page.keys;
      ({ isEnd } = page);
    }
  } finally {
    calls.close(opened, reading);
  }
}

async function readPage(walking: Walk, folder: string, opened: Dir) {
  const keys: string[] = [];
  for (let read = 0; read < namesPerCall; read++) {
    const entry = await opened.read();
    if (entry === null) return { keys, isEnd: true };
    keys.push(...keyOf(walking, folder, entry));
  }
  return { keys, isEnd: false };
}

/** Returns the key of an entry as a list of one, with a final slash for a folder. Returns an empty list for an entry that is not listed. */
function keyOf({ prefix, finished }: Walk, folder: string, entry: Dirent): readonly string[] {
  const { name } = entry;
  // A folder whose name no key can contain is skipped, because it may not be readable, such as `lost+found`.
  const isListed = entry.isDirectory()
    ? isKeyPart(name)
    : entry.isFile() && name.includes(unfinishedFileMarker) !== finished;
  const key = entry.isDirectory() ? `${folder}${name}/` : folder + name;
  return isListed && key.startsWith(prefix) ? [key] : [];
}

function isFolder(key: string): boolean {
  return key.endsWith("/");
}

function ignoreMissingError(error: unknown): null {
  if (isFileMissingError(error)) return null;
  throw error;
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
