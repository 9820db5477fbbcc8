import { sweepRemovals, type FileRemovalDeps, type FileRemovals } from "./file-removal.ts";

/** Where records come to their end. All methods reject with StoreUnavailableError. */
export interface RetentionStore {
  /**
   * SUCCEEDED → EXPIRED for files whose time is over, at most `limit`, which puts their keys on the list of removals in the same
   * transaction. Says how many.
   */
  expire(limit: number): Promise<number>;
  /** Removes records that ended, and tombstones of every kind, longer ago than this, with their events; at most `limit` of each. Says how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
  /** Removes fires of schedules of longer ago than this; at most `limit`. Says how many. */
  removeOldFires(olderThanMs: number, limit: number): Promise<number>;
  /** Removes links to files whose time is over; at most `limit`. Says how many. */
  removeEndedLinks(limit: number): Promise<number>;
}

/** What one round of retention did. */
export interface RetentionOutcome {
  readonly expired: number;
  /** Files that were removed because they were due: expired ones, and those of deleted reports and lost attempts that were left over. */
  readonly removed: number;
  readonly purged: number;
}

const batch = 500;

/**
 * Ends what is kept long enough: files first, records later. A record forgets its file only by putting it on the list of removals;
 * `onFileLeft` is told of what cannot be removed now, which stays there for the next round.
 */
export async function retire(
  deps: FileRemovalDeps & { readonly retention: RetentionStore; readonly removals: FileRemovals },
  limits: { readonly recordRetentionMs: number },
  signal: AbortSignal,
  onFileLeft: (error: unknown) => void,
): Promise<RetentionOutcome> {
  const expired = await repeat(async () => deps.retention.expire(batch), signal);
  const removed = await sweepRemovals(deps, onFileLeft, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    // The records' own end needs no store.
    onFileLeft(error);
    return 0;
  });
  const purged = await repeat(async () => deps.retention.purge(limits.recordRetentionMs, batch), signal);
  await repeat(async () => deps.retention.removeOldFires(limits.recordRetentionMs, batch), signal);
  await repeat(async () => deps.retention.removeEndedLinks(batch), signal);
  return { expired, removed, purged };
}

/** Does the work until it finds less than a batch; each time is a transaction of its own with its own deadline. */
async function repeat(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let count = batch; count >= batch; total += count) {
    signal.throwIfAborted();
    count = await work();
  }
  return total;
}
