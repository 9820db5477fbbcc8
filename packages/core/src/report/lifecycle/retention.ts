import { StoreUnavailableError } from "../../base/errors.ts";
import { sweepRemovals, type FileRemovalDeps, type FileRemovals } from "../files/file-removal.ts";

/** All methods reject with StoreUnavailableError. */
export interface RetentionStore {
  /** SUCCEEDED → EXPIRED for at most `limit` files, put on the removal list in the same transaction. Returns their number. */
  expire(limit: number): Promise<number>;
  /** Removes records and tombstones that ended at least this long ago; at most `limit` of each. Returns their number. */
  purge(olderThanMs: number, limit: number): Promise<number>;
  /** Removes older runs of schedules, at most `limit`. Returns their number. */
  removeOldRuns(olderThanMs: number, limit: number): Promise<number>;
  /** Removes expired links, at most `limit`. Returns their number. */
  removeEndedLinks(limit: number): Promise<number>;
}

const steps = ["expired", "removed", "purged", "fires", "links"] as const;
type RetentionStep = (typeof steps)[number];

export interface RetentionOutcome {
  readonly expired: number;
  /** Due files that were removed: expired ones, and those of deleted reports and lost attempts. */
  readonly removed: number;
  readonly purged: number;
  readonly failures: readonly { readonly step: RetentionStep; readonly error: unknown }[];
}

const batch = 500;
/** The smallest batch that is tried before a step gives up. */
const smallestBatch = 50;

/**
 * Ends files first, records later. A record forgets its file only by putting it on the removal list; `onRemovalError` gets errors of files
 * that stay there for the next round. A failing step does not stop the others. Rejects only with the signal's reason.
 */
export async function retire(
  deps: FileRemovalDeps & { readonly retention: RetentionStore; readonly removals: FileRemovals },
  limits: { readonly recordRetentionMs: number },
  signal: AbortSignal,
  onRemovalError: (error: unknown) => void,
): Promise<RetentionOutcome> {
  const { retention } = deps;
  const { recordRetentionMs } = limits;
  const failures: { step: RetentionStep; error: unknown }[] = [];
  const sweep = async (): Promise<number> =>
    sweepRemovals(deps, onRemovalError, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // Ending the records needs no store.
      onRemovalError(error);
      return 0;
    });
  const work: Record<RetentionStep, (done: (count: number) => void) => Promise<void>> = {
    expired: (done) => repeat(async (size) => retention.expire(size), done, signal),
    removed: async (done) => done(await sweep()),
    purged: (done) => repeat(async (size) => retention.purge(recordRetentionMs, size), done, signal),
    fires: (done) => repeat(async (size) => retention.removeOldRuns(recordRetentionMs, size), done, signal),
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

/** Repeats the work until a batch is not full; each is a transaction with its own deadline. A batch that times out is halved. */
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
