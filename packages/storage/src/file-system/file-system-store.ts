import { randomBytes } from "node:crypto";
import type { BigIntStats, Stats } from "node:fs";
import { lstat, open, rename, rm, rmdir, stat as statPath, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FileNotFoundError, StoreUnavailableError } from "@reports/core";
import type { FileStat, FileStore, PutFile } from "@reports/core";
import { destroyOnAbort } from "../abort.ts";
import { assertRange } from "../byte-range.ts";
import { assertKey, assertPrefix } from "../key.ts";
import { maxNoteBytes } from "../store-notes.ts";
import type { StoreNotes } from "../store-notes.ts";
import { assertAnnounced, copyFinishedFile } from "./copy-file.ts";
import { addFolder, makeFolder, setStoredMode, storedMode, syncPath } from "./durable.ts";
import { codeOf, isMissing, toStoreError } from "./file-error.ts";
import { statOf, unfinishedMark, walk } from "./walk.ts";

const readBufferBytes = 1024 * 1024;
const maxFolderTries = 20;

/**
 * Files under one folder, keys as paths below it. A put from the same file system is a rename, from another a copy through a
 * temporary name; both are on the disk when it resolves. A file system that hangs (NFS) hangs its callers: deadlines are theirs.
 */
export function createFileSystemStore({ directory }: { readonly directory: string }): FileStore & StoreNotes {
  const root = resolve(directory);
  const notes = new Map<string, { readonly identity: string; readonly text: string }>();
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(root, key);
  };

  return {
    async put(file) {
      const target = pathOf(file.key);
      file.signal?.throwIfAborted();
      return storeErrors("store a file", undefined, async () => {
        const stat = await lstat(file.path);
        if (stat.size !== file.sizeBytes) assertAnnounced(file, stat.size, file.sha256);
        return statOf(file.key, await takeOver(file, stat, target));
      });
    },

    async open(key, { range, signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return storeErrors("open a file", key, async () => {
        const handle = await open(path, "r");
        try {
          const stat = await handle.stat();
          if (!stat.isFile()) throw new FileNotFoundError(key);
          if (range !== undefined) assertRange(range, stat.size);
          const body = handle.createReadStream({ highWaterMark: readBufferBytes, ...range });
          destroyOnAbort(body, signal);
          return { stat: statOf(key, stat), body };
        } catch (error) {
          await handle.close();
          throw error;
        }
      });
    },

    async stat(key, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return storeErrors("look at a file", undefined, async () => {
        const stat = await lstat(path).catch((error: unknown) => {
          if (isMissing(error)) return null;
          throw error;
        });
        return stat?.isFile() === true ? statOf(key, stat) : null;
      });
    },

    async remove(key, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      await storeErrors("remove a file", undefined, async () => {
        await unlink(path).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
        await removeEmptyFolders(dirname(path), root);
      });
    },

    async *list(prefix, { signal } = {}): AsyncGenerator<FileStat> {
      assertPrefix(prefix);
      try {
        for await (const { path: _, finished, ...stat } of walk(root, prefix, signal)) if (finished) yield stat;
      } catch (error) {
        throw toStoreError(error, "list its files");
      }
    },

    async abortStaleUploads(prefix, before, { signal } = {}) {
      assertPrefix(prefix);
      return storeErrors("remove unfinished files", undefined, async () => {
        let count = 0;
        for await (const file of walk(root, prefix, signal)) {
          if (file.finished || file.lastModified >= before) continue;
          await rm(file.path, { force: true });
          await removeEmptyFolders(dirname(file.path), root);
          count += 1;
        }
        return count;
      });
    },

    async check({ signal } = {}) {
      signal?.throwIfAborted();
      await storeErrors("be checked", undefined, async () => assertFolder(root));
    },

    async readNote(key, { known = false, signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return storeErrors("read a note", undefined, async () => {
        try {
          // One look at its folder does for four calls, each of which goes through another thread.
          const before = known ? notes.get(key) : undefined;
          if (before !== undefined && before.identity === identityOf(await statPath(path, { bigint: true })))
            return before.text;
          await using handle = await open(path, "r");
          const identity = known ? identityOf(await handle.stat({ bigint: true })) : undefined;
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxNoteBytes), 0, maxNoteBytes, 0);
          const text = buffer.toString("utf8", 0, bytesRead);
          if (identity !== undefined) notes.set(key, { identity, text });
          return text;
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      });
    },

    async writeNote(key, text, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      await storeErrors("write a note", undefined, async () => {
        await assertFolder(root);
        await makeFolder(dirname(path));
        const temporary = join(dirname(path), unfinishedName(basename(path)));
        try {
          await writeFile(temporary, text, { flag: "wx", flush: true });
          await rename(temporary, path);
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
        await syncPath(dirname(path));
      });
    },

    async create({ signal } = {}) {
      signal?.throwIfAborted();
      await storeErrors("be made", undefined, async () => makeFolder(root));
    },
  };
}

/** What no two files, and no two states of one, have alike: notes are replaced, never written over. */
function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

async function assertFolder(root: string): Promise<void> {
  const found = await statPath(root).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found?.isDirectory() !== true) throw new StoreUnavailableError("The folder of the file store is not there.");
}

/** What is stored then: a file that was renamed is the one that it was. */
async function takeOver(file: PutFile, found: Stats, target: string): Promise<Stats> {
  const folder = dirname(target);
  const changed = new Set([folder]);
  let stored = found;
  try {
    if ((found.mode & 0o777) !== storedMode) await setStoredMode(file.path);
    await intoFolder(folder, file.path, changed, async () => rename(file.path, target));
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await copyOver(file, target, changed);
    stored = await lstat(target);
  }
  try {
    await Promise.all([...changed].map(syncPath));
    file.signal?.throwIfAborted();
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  return stored;
}

async function copyOver(file: PutFile, target: string, changed: Set<string>): Promise<void> {
  const folder = dirname(target);
  const temporary = `${folder}/${unfinishedName(target.slice(folder.length + 1))}`;
  try {
    await intoFolder(folder, file.path, changed, async () => copyFinishedFile(file, temporary));
    // The temporary file keeps the folder where it is.
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rm(file.path, { force: true });
}

/** A concurrent remove may delete the folder while it is still empty. What has a new entry by that is added to `changed`, to be synced. */
async function intoFolder(
  folder: string,
  source: string,
  changed: Set<string>,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      for (const above of await addFolder(folder)) changed.add(above);
      await work();
      return;
    } catch (error) {
      // Node's recursive mkdir says ENOTDIR, too, of a folder that is gone between its steps; one that is none is so at every try.
      if (!isMissing(error) || attempt === maxFolderTries) throw error;
      // When it is the source that is missing, say so instead of trying again.
      await lstat(source);
    }
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; path.length > root.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT") continue;
      // A folder in use, or one that may not be removed, stays; the file itself is gone.
      return;
    }
  }
}

function unfinishedName(name: string): string {
  return `${name}${unfinishedMark}${randomBytes(8).toString("hex")}`;
}

async function storeErrors<Result>(
  what: string,
  key: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, what, key);
  }
}
