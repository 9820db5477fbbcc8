import type { BigIntStats, Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, rm, rmdir, stat as statPath, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FileNotFoundError, StoreUnavailableError, type FileStat, type FileStore } from "@reports/core/base";
import { destroyOnAbort } from "../abort.ts";
import { assertByteRange } from "../byte-range.ts";
import { assertStorageKey, assertKeyPrefix } from "../key.ts";
import { maxNoteBytes, type StoreNotes } from "../store-notes.ts";
import { assertSizeAndHash } from "./copy-file.ts";
import { createFolderDurably, flushPath } from "./durable.ts";
import { createLimitedFileCalls, readThreadPoolSize } from "./limited-file-calls.ts";
import { toFileSystemStoreError } from "./file-error.ts";
import { moveIntoStore, createUnfinishedFileName } from "./put-file.ts";
import { streamFile } from "./read-file.ts";
import { createSharedFolderFlush } from "./shared-flush.ts";
import { fileStatFromStats } from "./stat-files.ts";
import { nullIfMissing, systemErrorCode } from "./system-error.ts";
import { walkFiles } from "./walk.ts";

export interface FileSystemStoreOptions {
  readonly directory: string;
  /** Time after which a read rejects. Default: 5,000 ms. */
  readonly readTimeoutMs?: number;
}

/**
 * Creates a store of files under one folder, with keys as paths. A put renames the local file if it is on the same file system, and otherwise
 * copies it under a temporary name. When a put resolves, the file is on the disk. A file system that hangs (NFS) holds only a few threads. Then
 * reads end at their deadline, changes end when the file system continues, and further calls are refused.
 */
export function createFileSystemStore({ directory, ...limits }: FileSystemStoreOptions): FileStore & StoreNotes {
  const root = resolve(directory);
  const calls = createLimitedFileCalls({ threads: readThreadPoolSize(), ...limits });
  const flushFolder = createSharedFolderFlush(async (path, onBegin) =>
    calls.mutate(async () => {
      onBegin();
      await flushPath(path);
    }),
  );
  const notes = new Map<string, { readonly identity: string; readonly text: string }>();
  const pathOf = (key: string): string => {
    assertStorageKey(key);
    return join(root, key);
  };

  return {
    async put(file) {
      const target = pathOf(file.key);
      file.signal?.throwIfAborted();
      return convertErrors("store a file", undefined, async () => {
        const stat = await calls.read(file.path, async () => lstat(file.path), { signal: file.signal });
        if (stat.size !== file.sizeBytes) assertSizeAndHash(file, stat.size, file.sha256);
        return fileStatFromStats(file.key, await moveIntoStore(calls, flushFolder, file, stat, target));
      });
    },

    async open(key, { range, signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return convertErrors("open a file", key, async () => {
        const discard = (late: FileHandle): void => calls.close(late);
        const handle = await calls.read(path, async () => open(path, "r"), { signal, discard });
        let statCall: Promise<Stats> | undefined;
        try {
          const stat = await calls.read(path, async () => (statCall = handle.stat()), { signal });
          if (!stat.isFile()) throw new FileNotFoundError(key);
          if (range !== undefined) assertByteRange(range, stat.size);
          const body = streamFile(calls, path, handle, range);
          destroyOnAbort(body, signal);
          return { stat: fileStatFromStats(key, stat), body };
        } catch (error) {
          calls.close(handle, statCall);
          throw error;
        }
      });
    },

    async stat(key, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return convertErrors("read the state of a file", undefined, async () => {
        const stat = await nullIfMissing(async () => calls.read(path, async () => lstat(path), { signal }));
        return stat?.isFile() === true ? fileStatFromStats(key, stat) : null;
      });
    },

    async remove(key, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      await convertErrors("remove a file", undefined, async () => {
        const unlinkFile = async (): Promise<void> => {
          await nullIfMissing(async () => unlink(path));
          await removeEmptyFolders(dirname(path), root);
        };
        await calls.mutate(unlinkFile, { signal });
      });
    },

    async *list(prefix, { signal } = {}): AsyncGenerator<FileStat> {
      assertKeyPrefix(prefix);
      try {
        for await (const { path: _, ...stat } of walkFiles(calls, root, prefix, { finished: true, signal })) yield stat;
      } catch (error) {
        throw toFileSystemStoreError(error, "list its files");
      }
    },

    async abortStaleUploads(prefix, before, { signal } = {}) {
      assertKeyPrefix(prefix);
      return convertErrors("remove unfinished files", undefined, async () => {
        let count = 0;
        for await (const file of walkFiles(calls, root, prefix, { finished: false, signal })) {
          if (file.lastModified >= before) continue;
          const removeUnfinished = async (): Promise<void> => {
            await rm(file.path, { force: true });
            await removeEmptyFolders(dirname(file.path), root);
          };
          await calls.mutate(removeUnfinished, { signal });
          count += 1;
        }
        return count;
      });
    },

    async check({ signal } = {}) {
      signal?.throwIfAborted();
      await convertErrors("be checked", undefined, async () =>
        calls.read(root, async () => assertFolder(root), { signal }),
      );
    },

    async readNote(key, { known = false, signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      return convertErrors("read a note", undefined, async () => {
        const read = async (): Promise<string> => {
          // If the note was read before, one `stat` shows whether it has changed. It replaces open, stat, read and close, each of which needs a
          // thread of the pool.
          const before = known ? notes.get(key) : undefined;
          if (before !== undefined && before.identity === fileIdentity(await statPath(path, { bigint: true })))
            return before.text;
          await using handle = await open(path, "r");
          const identity = known ? fileIdentity(await handle.stat({ bigint: true })) : undefined;
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxNoteBytes), 0, maxNoteBytes, 0);
          const text = buffer.toString("utf8", 0, bytesRead);
          if (identity !== undefined) notes.set(key, { identity, text });
          return text;
        };
        return nullIfMissing(async () => calls.read(path, read, { signal }));
      });
    },

    async writeNote(key, text, { signal } = {}) {
      const path = pathOf(key);
      signal?.throwIfAborted();
      const write = async (): Promise<void> => {
        await assertFolder(root);
        await createFolderDurably(dirname(path));
        const temporary = join(dirname(path), createUnfinishedFileName(basename(path)));
        try {
          await writeFile(temporary, text, { flag: "wx", flush: true });
          await rename(temporary, path);
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
        await flushPath(dirname(path));
      };
      await convertErrors("write a note", undefined, async () => calls.mutate(write, { signal }));
    },

    async create({ signal } = {}) {
      signal?.throwIfAborted();
      await convertErrors("be made", undefined, async () =>
        calls.mutate(async () => createFolderDurably(root), { signal }),
      );
    },
  };
}

/** Returns a text that changes whenever the file of a note is replaced. Notes are replaced, never overwritten in place. */
function fileIdentity({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

async function assertFolder(root: string): Promise<void> {
  const found = await nullIfMissing(async () => statPath(root));
  if (found?.isDirectory() !== true) throw new StoreUnavailableError("The folder of the file store is not there.");
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let path = folder; path.length > root.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT") continue;
      // The file itself is already removed. Its folder may stay, if other files are in it or it is protected.
      return;
    }
  }
}

async function convertErrors<Result>(
  what: string,
  key: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileSystemStoreError(error, what, key);
  }
}
