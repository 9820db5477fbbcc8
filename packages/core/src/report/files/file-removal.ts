import type { FileStore, StoreIdentity } from "../../base/file-store.ts";

/** Why a file is removed: its retention ended, its report was deleted, its attempt lost the report, or no record names the file. */
export const removalReasons = ["expired", "deleted", "abandoned", "no-record"] as const;
export type RemovalReason = (typeof removalReasons)[number];

/** Port of the removal list, which names the files to remove. All methods reject with StoreUnavailableError if the database is down. */
export interface FileRemovals {
  /** Puts the file of an attempt that no longer owns its report on the list, due immediately. */
  abandon(key: string, reportId: string): Promise<void>;
  /** Returns due keys above `after`, in key order, without keys that the reconciler has listed and removes itself. */
  due(after: string | null, limit: number): Promise<readonly string[]>;
  /** Returns those of `keys` that no active record names. Takes the other keys off the list, because their files are in use. */
  confirm(keys: readonly string[]): Promise<readonly string[]>;
  markRemoved(keys: readonly string[]): Promise<void>;
}

export interface FileRemovalDeps {
  readonly removals: Pick<FileRemovals, "confirm" | "markRemoved">;
  readonly files: Pick<FileStore, "remove">;
  readonly identity: Pick<StoreIdentity, "assert">;
}

const pageSize = 500;
/** Number of concurrent removals. One after another, removals of 10 ms each would reach only 100 files per second. */
const maxConcurrentRemovals = 8;
const maxFailuresInRow = 3;

/**
 * Removes files whose keys are on the removal list, if the store belongs to the database and no active record names the key. No other function
 * removes stored files. A file that cannot be removed stays on the list and does not block others; `onRemovalError` gets its error. Returns the
 * number of removed files. Rejects with StoreUnavailableError or StoreMismatchError.
 */
export async function removeListedFiles(
  deps: FileRemovalDeps,
  keys: readonly string[],
  onRemovalError: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  if (keys.length === 0) return 0;
  const options = signal === undefined ? {} : { signal };
  await deps.identity.assert(options);
  const removedKeys: string[] = [];
  let failuresInRow = 0;
  try {
    const confirmed = await deps.removals.confirm(keys);
    for (let at = 0; at < confirmed.length;) {
      signal?.throwIfAborted();
      // Files are removed one at a time until a removal succeeds, so that an unavailable store gets few requests.
      const most = removedKeys.length > 0 && failuresInRow === 0 ? maxConcurrentRemovals : 1;
      const some = confirmed.slice(at, at + most);
      at += some.length;
      const outcomes = await Promise.allSettled(some.map(async (key) => deps.files.remove(key, options)));
      const removed = some.filter((_, index) => outcomes[index]!.status === "fulfilled");
      removedKeys.push(...removed);
      if (removed.length > 0) failuresInRow = 0;
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        signal?.throwIfAborted();
        onRemovalError(outcome.reason);
        failuresInRow += 1;
        // A locked file and an unavailable store cause the same error. If the store is unavailable, the assertion throws and ends the removal.
        if (failuresInRow % maxFailuresInRow === 0) await deps.identity.assert(options);
      }
    }
  } finally {
    if (removedKeys.length > 0) await deps.removals.markRemoved(removedKeys);
  }
  return removedKeys.length;
}

export async function removeDueFiles(
  deps: FileRemovalDeps & { readonly removals: FileRemovals },
  onRemovalError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let keys = await deps.removals.due(null, pageSize); keys.length > 0;) {
    removed += await removeListedFiles(deps, keys, onRemovalError, signal);
    keys = await deps.removals.due(keys.at(-1)!, pageSize);
  }
  return removed;
}
