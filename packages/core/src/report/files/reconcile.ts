import type { FileStore, StoreIdentity } from "../../base/file-store.ts";
import {
  compareFiles,
  findMissingFiles,
  type CompareFilesDeps,
  type CompareFilesLimits,
  type FileComparisonCounts,
  type OnFileDifferences,
} from "./compare-files.ts";
import type { ReconciliationStore } from "./reconciliation-store.ts";
import { removeListedFiles } from "./file-removal.ts";
import { exceedsRepairLimits, type AutomaticRepairLimits } from "./automatic-repair-limits.ts";
import { reportStorageKeyPrefix } from "./storage-key.ts";

export interface ReconcileLimits extends CompareFilesLimits, AutomaticRepairLimits {
  /** Minimum time between the first round that finds a difference and the round that acts on it. */
  readonly confirmAfterMs: number;
  /** How long an orphaned file is kept before its removal. Also the minimum time that a file must be missing before its report expires. */
  readonly trashMs: number;
}

export interface ReconcileDeps extends CompareFilesDeps {
  readonly index: ReconciliationStore;
  readonly files: Pick<FileStore, "list" | "stat" | "remove" | "abortStaleUploads">;
  /** The store's identity, checked before the comparison and before each destructive batch, so that nothing is removed from a wrong store. */
  readonly identity: Pick<StoreIdentity, "assert">;
  readonly onRemovalError: (error: unknown) => void;
}

export interface ReconcileOutcome extends FileComparisonCounts {
  readonly scheduled: number;
  readonly removed: number;
  readonly expired: number;
  readonly abortedUploads: number;
  /** Number of differences that the round did not act on, because too many files differ. */
  readonly refused: number;
}

const pageSize = 500;
/** Files per batch of removals. The store and the removal list are checked before each batch, so that an undo saves the remaining files. */
const removalBatchSize = 50;
/** After a repair, the repaired file still counts as a differing file for this time, so that many small repairs also reach the limits. */
const recentMs = 30 * 86_400_000;

/**
 * Compares the file store with the records. Orphaned files that two rounds found are put on the removal list, and removed when due. A report whose
 * file stays missing becomes EXPIRED. A file with a wrong size is noted as suspicious. If too many files are orphaned, the round removes none; if too many are missing, it expires none. Rejects
 * with StoreUnavailableError, and with StoreMismatchError before it records anything in the wrong store. Safe to run concurrently.
 */
export async function reconcileFiles(
  deps: ReconcileDeps,
  limits: ReconcileLimits,
  signal: AbortSignal,
): Promise<ReconcileOutcome> {
  const { index, files, identity } = deps;
  await identity.assert({ signal });
  const round = await index.begin();
  const note: OnFileDifferences = async (kind, keys) => {
    if (kind === "wrong-size") await index.suspect(keys);
    else if (kind !== "unknown-report") await index.note(round, kind, keys);
  };
  const found = await compareFiles(deps, limits, note, signal);
  await index.forgetResolved(round);
  const refused = await countUnrepairedDifferences(index, found, limits);
  let [scheduled, removed, expired, abortedUploads] = [0, 0, 0, 0];
  if (refused.unnamed === 0) {
    for await (const keys of readKeyPages(pageSize, async (after) =>
      index.known("no-record", limits.confirmAfterMs, after, pageSize),
    )) {
      signal.throwIfAborted();
      scheduled += await index.schedule(keys, limits.trashMs);
    }
    for await (const keys of readKeyPages(removalBatchSize, async (after) =>
      index.due(round, after, removalBatchSize),
    )) {
      removed += await removeListedFiles({ ...deps, removals: index.scheduled }, keys, deps.onRemovalError, signal);
    }
    const before = new Date(deps.now().getTime() - limits.minAgeMs);
    await identity.assert({ signal });
    abortedUploads = await files
      .abortStaleUploads(reportStorageKeyPrefix, before, { signal })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        // If unfinished uploads cannot be aborted, the round reports the error and continues.
        deps.onRemovalError(error);
        return 0;
      });
  }
  if (refused.missing === 0) {
    for await (const keys of readKeyPages(pageSize, async (after) =>
      index.known("no-object", computeMissingFileGraceMs(limits), after, pageSize),
    )) {
      const missing = await findMissingFiles(files, keys, signal);
      // Check the store again after reading it: a store that was replaced meanwhile would lack all files.
      await identity.assert({ signal });
      expired += await index.expireNamed(missing);
    }
  }
  const outcome = { ...found, scheduled, removed, expired, abortedUploads, refused: refused.unnamed + refused.missing };
  await index.close(round, outcome);
  return outcome;
}

export async function* readKeyPages(
  size: number,
  read: (after: string | null) => Promise<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  for (let keys = await read(null); keys.length > 0; keys = keys.length < size ? [] : await read(keys.at(-1)!))
    yield keys;
}

export async function countUnrepairedDifferences(
  index: Pick<ReconciliationStore, "recentRepairs">,
  found: FileComparisonCounts,
  limits: AutomaticRepairLimits,
): Promise<{ readonly unnamed: number; readonly missing: number }> {
  const lately = await index.recentRepairs(recentMs);
  const unnamed = found.unnamed + found.unknown;
  // If records name files and the store is empty, it has lost all files or is the wrong store.
  const isEmpty = found.files === 0 && found.named > 0;
  const refuses = (differing: number, compared: number, repaired: number): boolean =>
    isEmpty || (differing > 0 && exceedsRepairLimits(differing + repaired, compared + repaired, limits));
  return {
    unnamed: refuses(unnamed, found.compared, lately.removed) ? unnamed : 0,
    missing: refuses(found.missing, found.named, lately.expired) ? found.missing : 0,
  };
}

export function computeMissingFileGraceMs({ confirmAfterMs, trashMs }: ReconcileLimits): number {
  return Math.max(confirmAfterMs, trashMs);
}
