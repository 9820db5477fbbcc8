import type { FileStore, StoreIdentity } from "../../base/file-store.ts";
import {
  compareFiles,
  missingOf,
  type CompareDeps,
  type CompareLimits,
  type Comparison,
  type OnDifference,
} from "./compare-files.ts";

import type { FileIndex } from "./file-index.ts";
import { removeListedFiles } from "./file-removal.ts";
import { pagesOf } from "./key-pages.ts";
import { isMassDifference, type MassLimits } from "./mass-difference.ts";
import { reportsPrefix } from "./storage-key.ts";

/** What is compared, and when it is acted upon. */
export interface ReconcileLimits extends CompareLimits, MassLimits {
  /** A difference is acted upon when a look at least this long ago found it too. */
  readonly secondLookMs: number;
  /** How long a file that no record names is kept after that, and how long a record waits for a file that is missing. */
  readonly trashMs: number;
}

/** What the reconciler works on. */
export interface ReconcileDeps extends CompareDeps {
  readonly index: FileIndex;
  readonly files: Pick<FileStore, "list" | "stat" | "remove" | "abortStaleUploads">;
  /** Asserted before the comparison and before each batch of whatever destroys. */
  readonly identity: Pick<StoreIdentity, "assert">;
  /** Told of files and unfinished uploads that the store will not remove. */
  readonly onFileLeft: (error: unknown) => void;
}

/** What a round found and did. */
export interface ReconcileOutcome extends Comparison {
  /** Files that will be removed unless that is undone, or a record names them, before they are due. */
  readonly scheduled: number;
  /** Files without a record that were due, and were removed. */
  readonly removed: number;
  /** Records whose file was missing for too long; they are EXPIRED now. */
  readonly expired: number;
  readonly abortedUploads: number;
  /** Differences that were not acted upon because there were too many. */
  readonly refused: number;
}

const page = 500;
/** Files that are removed before the store and the list are checked again: an undo may come too late for so many. */
const removalBatch = 50;
/** For how long a repair still counts as a difference. */
const latelyMs = 30 * 86_400_000;

/**
 * Compares the file store with the records. What two looks have found is put on the list of removals, and removed once it is due; a
 * record whose file stays missing becomes EXPIRED. Nothing is done when too much differs, and nothing at all, not even noted, when the
 * store is not the records' own: then it rejects with StoreMismatchError. Rejects with StoreUnavailableError when the store or the
 * database is unavailable. Safe to run twice at once.
 */
export async function reconcileFiles(
  deps: ReconcileDeps,
  limits: ReconcileLimits,
  signal: AbortSignal,
): Promise<ReconcileOutcome> {
  const { index, files, identity } = deps;
  await identity.assert({ signal });
  const round = await index.begin();
  const note: OnDifference = async (kind, keys) => {
    if (kind !== "unknown-report") await index.note(round, kind, keys);
  };
  const found = await compareFiles(deps, limits, note, signal);
  await index.settleRound(round);
  const refused = await judgeComparison(index, found, limits);
  let [scheduled, removed, expired, abortedUploads] = [0, 0, 0, 0];
  if (refused.unnamed === 0) {
    for await (const keys of pagesOf(page, async (after) =>
      index.known("no-record", limits.secondLookMs, after, page),
    )) {
      signal.throwIfAborted();
      scheduled += await index.schedule(keys, limits.trashMs);
    }
    for await (const keys of pagesOf(removalBatch, async (after) => index.due(round, after, removalBatch))) {
      removed += await removeListedFiles({ ...deps, removals: index.scheduled }, keys, deps.onFileLeft, signal);
    }
    const before = new Date(deps.now().getTime() - limits.minAgeMs);
    await identity.assert({ signal });
    abortedUploads = await files.abortStaleUploads(reportsPrefix, before, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      // One that will not go keeps nothing else of the round from being done.
      deps.onFileLeft(error);
      return 0;
    });
  }
  if (refused.missing === 0) {
    for await (const keys of pagesOf(page, async (after) =>
      index.known("no-object", patienceOf(limits), after, page),
    )) {
      const missing = await missingOf(files, keys, signal);
      // After the look: a store that was exchanged meanwhile would lack all of them.
      await identity.assert({ signal });
      expired += await index.expireNamed(missing);
    }
  }
  const outcome = { ...found, scheduled, removed, expired, abortedUploads, refused: refused.unnamed + refused.missing };
  await index.close(round, outcome);
  return outcome;
}

/** How many differences of each kind may not be acted upon. */
export async function judgeComparison(
  index: Pick<FileIndex, "mendedLately">,
  found: Comparison,
  limits: MassLimits,
): Promise<{ readonly unnamed: number; readonly missing: number }> {
  const lately = await index.mendedLately(latelyMs);
  const unnamed = found.unnamed + found.unknown;
  // An empty store beside records that name files has lost everything, or is another one.
  const isEmpty = found.files === 0 && found.named > 0;
  const refuses = (differing: number, compared: number, mended: number): boolean =>
    isEmpty || (differing > 0 && isMassDifference(differing + mended, compared + mended, limits));
  return {
    unnamed: refuses(unnamed, found.compared, lately.removed) ? unnamed : 0,
    missing: refuses(found.missing, found.named, lately.expired) ? found.missing : 0,
  };
}

/** How long a file has to be missing before its record gives it up. */
export function patienceOf({ secondLookMs, trashMs }: Pick<ReconcileLimits, "secondLookMs" | "trashMs">): number {
  return Math.max(secondLookMs, trashMs);
}
