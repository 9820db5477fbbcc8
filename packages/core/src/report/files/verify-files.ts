import { StoreMismatchError, StoreUnavailableError } from "../../base/errors.ts";
import type { FileStore } from "../../base/file-store.ts";
import {
  confirmDamage,
  saveVersionOf,
  readWhole,
  type ConfirmDeps,
  type FileCheck,
  type FileVerdicts,
  type PublishedFile,
} from "./confirm-damage.ts";

import { digestMismatch, sizeMismatch, type FileMismatch } from "./file-mismatch.ts";

import { reportsPrefix } from "./storage-key.ts";

/** Iterates over published files. All methods reject with StoreUnavailableError. */
export interface FileWalk {
  /** Filters keys that active SUCCEEDED records name. */
  named(keys: readonly string[]): Promise<readonly PublishedFile[]>;
  /** In key order, after `after`. */
  following(after: string | null, limit: number): Promise<readonly PublishedFile[]>;
  /** The key whose digest was compared last; null at the beginning of a walk. */
  position(): Promise<string | null>;
  savePosition(key: string | null): Promise<void>;
}

export interface VerifyDeps extends ConfirmDeps {
  readonly files: Pick<FileStore, "list" | "stat" | "open">;
  readonly verdicts: FileVerdicts;
  readonly published: FileWalk;
  /** Called for each unconfirmed finding. */
  readonly onMismatch: (file: PublishedFile, mismatch: FileMismatch) => void;
  readonly onDamaged: (file: PublishedFile, mismatch: FileMismatch) => void;
  readonly onUnreadable: (file: PublishedFile, error: unknown) => void;
}

export interface VerifyLimits {
  /** The share of files whose digest is compared per round, at least one. */
  readonly digestShare: number;
  /** No digest begins later in a round. */
  readonly digestMs: number;
  /** So many confirmed damages within an hour end the round: people must look before more records end. */
  readonly maxDamaged: number;
}

export interface VerifyOutcome {
  readonly sizes: number;
  readonly digests: number;
  readonly damaged: number;
  /** Unreadable files are compared again in the next walk. */
  readonly unreadable: number;
}

const page = 500;
/** So many consecutive unreadable files blame the store. */
const maxUnreadableInRow = 3;

/** Verifies noted files until `maxDamaged` were confirmed within an hour. Returns the number of damaged ones. */
export async function verifySuspiciousFiles(
  deps: VerifyDeps,
  maxDamaged: number,
  signal: AbortSignal,
): Promise<number> {
  const round = await beginRound(deps, maxDamaged, signal);
  if (round.isOver()) return 0;
  for (const file of await deps.verdicts.suspected(maxDamaged)) {
    if (round.isOver()) break;
    // Deferred before reading, so that unreadable files block no others.
    await deps.verdicts.defer(file.reportId);
    await round.confirm(file);
  }
  return round.damaged();
}

/**
 * Compares every published file's size in one walk over the store, and the digests of the next files in key order. Differences are
 * read twice again before a record ends. Safe to run concurrently. Rejects with StoreUnavailableError.
 */
export async function verifyFiles(deps: VerifyDeps, limits: VerifyLimits, signal: AbortSignal): Promise<VerifyOutcome> {
  // Not repeated per file, because every finding is confirmed in a checked store.
  await deps.identity.assert({ signal });
  const endAt = performance.now() + limits.digestMs;
  const round = await beginRound(deps, limits.maxDamaged, signal);
  const sizes = await compareSizes(deps, round, signal);
  const wanted = Math.ceil(sizes * limits.digestShare);
  let digests = 0;
  let after = await deps.published.position();
  while (digests < wanted && !round.isOver() && performance.now() < endAt) {
    const [file] = await deps.published.following(after, 1);
    after = file?.storageKey ?? null;
    if (file !== undefined) {
      await compareDigest(deps, round, file, signal);
      digests += 1;
    }
    await deps.published.savePosition(after);
    // The next round begins at the first key.
    if (file === undefined) break;
  }
  return { sizes, digests, damaged: round.damaged(), unreadable: round.unreadable() };
}

interface Round {
  confirm(file: PublishedFile): Promise<void>;
  suspect(file: PublishedFile, mismatch: FileMismatch): Promise<void>;
  /** Returns null for a file that cannot be read. */
  read<Result>(file: PublishedFile, work: () => Promise<Result>): Promise<Result | null>;
  isOver(): boolean;
  damaged(): number;
  unreadable(): number;
}

async function beginRound(deps: VerifyDeps, maxDamaged: number, signal: AbortSignal): Promise<Round> {
  let recentlyDamaged = await deps.verdicts.recentlyDamaged();
  let damaged = 0;
  let unreadable = 0;
  let unreadableInRow = 0;
  const round: Round = {
    isOver: () => recentlyDamaged >= maxDamaged,
    damaged: () => damaged,
    unreadable: () => unreadable,
    async read(file, work) {
      try {
        const result = await work();
        unreadableInRow = 0;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof StoreUnavailableError) || error instanceof StoreMismatchError) throw error;
        unreadable += 1;
        unreadableInRow += 1;
        if (unreadableInRow >= maxUnreadableInRow) throw error;
        deps.onUnreadable(file, error);
        return null;
      }
    },
    async confirm(file) {
      // Includes the rounds of other workers.
      recentlyDamaged = await deps.verdicts.recentlyDamaged();
      if (round.isOver()) return;
      const verdict = await round.read(file, async () => confirmDamage(deps, file, signal));
      if (verdict?.kind !== "damaged") return;
      damaged += 1;
      recentlyDamaged += 1;
      deps.onDamaged(file, verdict.mismatch);
    },
    async suspect(file, mismatch) {
      deps.onMismatch(file, mismatch);
      await round.confirm(file);
    },
  };
  return round;
}

async function compareSizes(deps: VerifyDeps, round: Round, signal: AbortSignal): Promise<number> {
  let count = 0;
  let sizes = new Map<string, number>();
  const flush = async (): Promise<void> => {
    for (const file of await deps.published.named([...sizes.keys()])) {
      count += 1;
      const mismatch = sizeMismatch(file, sizes.get(file.storageKey)!);
      if (mismatch !== null && !round.isOver()) await round.suspect(file, mismatch);
    }
    sizes = new Map();
  };
  for await (const { key, sizeBytes } of deps.files.list(reportsPrefix, { signal })) {
    sizes.set(key, sizeBytes);
    if (sizes.size === page) await flush();
  }
  await flush();
  return count;
}

async function compareDigest(deps: VerifyDeps, round: Round, file: PublishedFile, signal: AbortSignal): Promise<void> {
  const state = await round.read(file, async () => checkFile(deps, file, signal));
  if (state?.kind === "differs") await round.suspect(file, state.mismatch);
  else if (state?.kind === "whole") await saveVersionOf(deps, file, state.stat);
}

/** A digest that the store has checked saves reading the file. */
async function checkFile(deps: VerifyDeps, file: PublishedFile, signal: AbortSignal): Promise<FileCheck> {
  const stat = await deps.files.stat(file.storageKey, { signal });
  if (stat === null) return { kind: "missing" };
  if (stat.sha256 === null) return readWhole(deps, file, signal);
  const mismatch = sizeMismatch(file, stat.sizeBytes) ?? digestMismatch(file, stat.sha256);
  return mismatch === null ? { kind: "whole", stat } : { kind: "differs", mismatch };
}
