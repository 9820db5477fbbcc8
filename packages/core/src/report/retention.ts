import type { FileStore } from "../ports.ts";

/** Where records come to their end. All methods reject with StoreUnavailableError. */
export interface RetentionStore {
  /** SUCCEEDED → EXPIRED for files whose time is over, at most `limit`; the keys under which their files lie. */
  expire(limit: number): Promise<readonly string[]>;
  /** Removes records that ended, and tombstones of every kind, longer ago than this, with their events; at most `limit` of each. Says how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

/** What one round of retention did. */
export interface RetentionOutcome {
  readonly expired: number;
  readonly purged: number;
}

const batch = 500;

/**
 * Ends what is kept long enough: files first, records later. A file goes once its record no longer names it, so that nobody is
 * promised bytes that are gone; one that cannot be removed now is an orphan that reconciliation finds.
 */
export async function retire(
  deps: { readonly retention: RetentionStore; readonly files: Pick<FileStore, "remove"> },
  limits: { readonly recordRetentionMs: number },
  signal: AbortSignal,
  onFileLeft: (error: unknown) => void,
): Promise<RetentionOutcome> {
  let expired = 0;
  for (let keys = await deps.retention.expire(batch); keys.length > 0; keys = await deps.retention.expire(batch)) {
    expired += keys.length;
    for (const key of keys) await deps.files.remove(key, { signal }).catch(onFileLeft);
    signal.throwIfAborted();
  }
  let purged = 0;
  for (let count = batch; count >= batch;) {
    signal.throwIfAborted();
    count = await deps.retention.purge(limits.recordRetentionMs, batch);
    purged += count;
  }
  return { expired, purged };
}
