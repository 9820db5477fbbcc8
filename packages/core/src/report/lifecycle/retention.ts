import { StoreUnavailableError } from "../../base/errors.ts";
import { sweepRemovals, type FileRemovalDeps, type FileRemovals } from "../files/file-removal.ts";

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

const steps = ["expired", "removed", "purged", "fires", "links"] as const;
type RetentionStep = (typeof steps)[number];

/** What one round of retention did. */
export interface RetentionOutcome {
  readonly expired: number;
  /** Files that were removed because they were due: expired ones, and those of deleted reports and lost attempts that were left over. */
  readonly removed: number;
  readonly purged: number;
  /** Steps that could not be done to their end; the others were done all the same. */
  readonly failures: readonly { readonly step: RetentionStep; readonly error: unknown }[];
}

const batch = 500;
/** So many at least are tried at once before a step is given up. */
const smallestBatch = 50;

/**
 * Ends what is kept long enough: files first, records later. A record forgets its file only by putting it on the list of removals;
 * `onFileLeft` is told of what cannot be removed now, which stays there for the next round. No step waits for one that fails. Rejects with
 * the signal's reason alone.
 */
export async function retire(
  deps: FileRemovalDeps & { readonly retention: RetentionStore; readonly removals: FileRemovals },
  limits: { readonly recordRetentionMs: number },
  signal: AbortSignal,
  onFileLeft: (error: unknown) => void,
): Promise<RetentionOutcome> {
  const { retention } = deps;
  const { recordRetentionMs } = limits;
  const failures: { step: RetentionStep; error: unknown }[] = [];
  const sweep = async (): Promise<number> =>
    sweepRemovals(deps, onFileLeft, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // The records' own end needs no store.
      onFileLeft(error);
      return 0;
    });
  const work: Record<RetentionStep, (done: (count: number) => void) => Promise<void>> = {
    expired: (done) => repeat(async (size) => retention.expire(size), done, signal),
    removed: async (done) => done(await sweep()),
    purged: (done) => repeat(async (size) => retention.purge(recordRetentionMs, size), done, signal),
    fires: (done) => repeat(async (size) => retention.removeOldFires(recordRetentionMs, size), done, signal),
    links: (done) => repeat(async (size) => retention.removeEndedLinks(size), done, signal),
  };
  const counts: Record<RetentionStep, number> = { expired: 0, removed: 0, purged: 0, fires: 0, links: 0 };
  for (const step of steps) {
    try {
      await work[step]((count) => void (counts[step] += count));
    } catch (error) {
      signal.throwIfAborted();
      failures.push({ step, error });
    }
  }
  const { expired, removed, purged } = counts;
  return { expired, removed, purged, failures };
}

/**
 * Does the work until it finds less than a batch; each time is a transaction of its own with its own deadline. A batch that the store cannot do
 * in that time is halved.
 */
async function repeat(
  work: (size: number) => Promise<number>,
  done: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let size = batch, count = size; count >= size;) {
    signal.throwIfAborted();
    try {
      count = await work(size);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || size < 2 * smallestBatch) throw error;
      size = Math.floor(size / 2);
      count = size;
      continue;
    }
    done(count);
  }
}
