import { StoreUnavailableError } from "../../base/errors.ts";
import { removeDueFiles, type FileRemovalDeps, type FileRemovals } from "../files/file-removal.ts";

/** Port of the retention of records. All methods reject with StoreUnavailableError if the database is down. */
export interface RetentionStore {
  /** Expires at most `limit` reports whose retention is over, and puts their files on the removal list in one transaction. Returns the number. */
  expire(limit: number): Promise<number>;
  purge(olderThanMs: number, limit: number): Promise<number>;
  removeOldRuns(olderThanMs: number, limit: number): Promise<number>;
  removeEndedLinks(limit: number): Promise<number>;
}

const stepNames = ["expired", "removed", "purged", "fires", "links"] as const;
type RetentionStep = (typeof stepNames)[number];

export interface RetentionOutcome {
  readonly expired: number;
  readonly removed: number;
  readonly purged: number;
  readonly failures: readonly { readonly step: RetentionStep; readonly error: unknown }[];
}

const batchSize = 500;
const minBatchSize = 50;

/**
 * Applies the retention: expires reports, removes their files, and later removes old records. A record loses its file only when the file is put on
 * the removal list. `onRemovalError` gets the errors of files that stay on the list. A failing step does not stop the others. Rejects only with the
 * signal's reason.
 */
export async function applyRetention(
  deps: FileRemovalDeps & { readonly retention: RetentionStore; readonly removals: FileRemovals },
  limits: { readonly recordRetentionMs: number },
  signal: AbortSignal,
  onRemovalError: (error: unknown) => void,
): Promise<RetentionOutcome> {
  const { retention } = deps;
  const { recordRetentionMs } = limits;
  const failures: { step: RetentionStep; error: unknown }[] = [];
  const sweep = async (): Promise<number> =>
    removeDueFiles(deps, onRemovalError, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // A failure of the file store must not stop the other steps, which don't need it.
      onRemovalError(error);
      return 0;
    });
  const work: Record<RetentionStep, (done: (count: number) => void) => Promise<void>> = {
    expired: (done) => repeatInBatches(async (size) => retention.expire(size), done, signal),
    removed: async (done) => done(await sweep()),
    purged: (done) => repeatInBatches(async (size) => retention.purge(recordRetentionMs, size), done, signal),
    fires: (done) => repeatInBatches(async (size) => retention.removeOldRuns(recordRetentionMs, size), done, signal),
    links: (done) => repeatInBatches(async (size) => retention.removeEndedLinks(size), done, signal),
  };
  const counts: Record<RetentionStep, number> = { expired: 0, removed: 0, purged: 0, fires: 0, links: 0 };
  for (const step of stepNames) {
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

async function repeatInBatches(
  work: (size: number) => Promise<number>,
  done: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let size = batchSize, count = size; count >= size;) {
    signal.throwIfAborted();
    try {
      count = await work(size);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || size < 2 * minBatchSize) throw error;
      size = Math.floor(size / 2);
      count = size;
      continue;
    }
    done(count);
  }
}
