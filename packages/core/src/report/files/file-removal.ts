import type { FileStore, StoreIdentity } from "../../base/file-store.ts";

/**
 * Why a stored file stands on the list of removals: its retention is over, its report was deleted, its attempt lost the report after
 * the file was stored, or the reconciler found that no record names it.
 */
export const removalReasons = ["expired", "deleted", "abandoned", "no-record"] as const;
export type RemovalReason = (typeof removalReasons)[number];

/** The list of the files that somebody asked to remove. All methods reject with StoreUnavailableError. */
export interface FileRemovals {
  /** Puts the file of an attempt that lost its report on the list, due at once. */
  abandon(key: string, reportId: string): Promise<void>;
  /** Keys that are due, in order, beyond `after`; those that the reconciler found are not among them. */
  due(after: string | null, limit: number): Promise<readonly string[]>;
  /** Those of the keys that no living record names. The others are taken off the list. */
  confirm(keys: readonly string[]): Promise<readonly string[]>;
  /** Takes keys off the list: their files are gone. */
  settle(keys: readonly string[]): Promise<void>;
}

/** What removing files needs. */
export interface FileRemovalDeps {
  readonly removals: Pick<FileRemovals, "confirm" | "settle">;
  readonly files: Pick<FileStore, "remove">;
  readonly identity: Pick<StoreIdentity, "assert">;
}

const page = 500;
/** Removed at once as long as they can be: a store that answers after 10 ms removes 100 files a second one by one. */
const atOnce = 8;
/** With so many in a row that cannot be removed the store is asked whether it is there at all. */
const maxLeftInRow = 3;

/**
 * The one way in which a stored file is removed: its key stands on the list already, the store is the records' own, and no living record
 * names the key. What cannot be removed now stays on the list and keeps no other file from being removed: `onFileLeft` is told of each.
 * Rejects with StoreUnavailableError, or with StoreMismatchError for a store of another database. Resolves with the number of files removed.
 */
export async function removeListedFiles(
  deps: FileRemovalDeps,
  keys: readonly string[],
  onFileLeft: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  if (keys.length === 0) return 0;
  const options = signal === undefined ? {} : { signal };
  await deps.identity.assert(options);
  const gone: string[] = [];
  let leftInRow = 0;
  try {
    const confirmed = await deps.removals.confirm(keys);
    for (let at = 0; at < confirmed.length;) {
      signal?.throwIfAborted();
      // One by one until one can be removed, the first included.
      const some = confirmed.slice(at, at + (gone.length > 0 && leftInRow === 0 ? atOnce : 1));
      at += some.length;
      const outcomes = await Promise.allSettled(some.map(async (key) => deps.files.remove(key, options)));
      const removed = some.filter((_, index) => outcomes[index]!.status === "fulfilled");
      gone.push(...removed);
      if (removed.length > 0) leftInRow = 0;
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        signal?.throwIfAborted();
        onFileLeft(outcome.reason);
        leftInRow += 1;
        // A store says of a locked file what it says of everything while it is away.
        if (leftInRow % maxLeftInRow === 0) await deps.identity.assert(options);
      }
    }
  } finally {
    if (gone.length > 0) await deps.removals.settle(gone);
  }
  return gone.length;
}

/** Removes every file that is due because somebody asked for it. Rejects as removeListedFiles does. */
export async function sweepRemovals(
  deps: FileRemovalDeps & { readonly removals: FileRemovals },
  onFileLeft: (error: unknown) => void,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let keys = await deps.removals.due(null, page); keys.length > 0;) {
    removed += await removeListedFiles(deps, keys, onFileLeft, signal);
    keys = await deps.removals.due(keys.at(-1)!, page);
  }
  return removed;
}
