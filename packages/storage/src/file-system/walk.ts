import type { Dir } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { createFileStatReader, type FileStatReader } from "./file-stat-reader.ts";
import type { LimitedFileCalls } from "./limited-file-calls.ts";
import { filesPerTask, isFolder, keyOf, type ListedFiles, type WalkedFile } from "./stat-files.ts";
import { nullIfMissing } from "./system-error.ts";

export interface WalkOptions extends Pick<ListedFiles, "finished"> {
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of names in memory. A folder with more names is read several times. Default: 100,000. */
  readonly maxNames?: number;
}

interface Walk extends WalkOptions, ListedFiles {
  readonly calls: LimitedFileCalls;
  readonly reader: FileStatReader;
}

const namesPerCall = 1_000;
/**
 * If a folder has more subfolders than this, the walk expects each to be small, and reads many of them in one task. A single subfolder can be
 * large.
 */
const fewFolders = 16;

/** Lists the files whose key begins with the prefix, in the order of their keys. */
export async function* walkFiles(
  calls: LimitedFileCalls,
  directory: string,
  prefix: string,
  options: WalkOptions,
): AsyncGenerator<WalkedFile> {
  const reader = createFileStatReader();
  try {
    yield* walkFolder({ calls, reader, directory, prefix, ...options }, prefix.slice(0, prefix.lastIndexOf("/") + 1));
  } finally {
    // Not awaited, because the thread cannot end while the file system hangs.
    void reader.close();
  }
}

async function* walkFolder(walking: Walk, folder: string): AsyncGenerator<WalkedFile> {
  const { calls, reader, directory, prefix, finished, signal } = walking;
  for await (const keys of keysInOrder(walking, folder)) {
    const areFoldersSmall = keys.filter(isFolder).length > fewFolders;
    for (let at = 0; at < keys.length;) {
      signal?.throwIfAborted();
      const next = keys.slice(at, at + filesPerTask);
      const read = async () => reader.read({ directory, prefix, finished, keys: next, areFoldersSmall });
      const { found, count } = await calls.read(join(directory, folder), read, { signal });
      at += count;
      for (const one of found) {
        if (typeof one === "string") yield* walkFolder(walking, one);
        else yield one;
      }
    }
  }
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
  const opened = await nullIfMissing(async () => calls.read(path, open, { signal, discard }));
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
