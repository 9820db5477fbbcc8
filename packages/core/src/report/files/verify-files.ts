import { StoreMismatchError, StoreUnavailableError } from "../../base/errors.ts";
import type { FileStore } from "../../base/file-store.ts";
import {
  confirmFileDamage,
  saveFileVersion,
  verifyWholeFile,
  type ConfirmFileDamageDeps,
  type FileCheckResult,
  type FileDamageStore,
  type PublishedFile,
} from "./confirm-file-damage.ts";
import { findDigestMismatch, findSizeMismatch, type FileMismatch } from "./file-mismatch.ts";

export interface PublishedFileReader {
  /** Returns the number of published files, including those of deleted reports. */
  count(): Promise<number>;
  /** Returns published files in key order, beginning after the key `after`. */
  following(after: string | null, limit: number): Promise<readonly PublishedFile[]>;
  position(): Promise<string | null>;
  savePosition(key: string | null): Promise<void>;
}

export interface VerifyFilesDeps extends ConfirmFileDamageDeps {
  readonly files: Pick<FileStore, "stat" | "open">;
  readonly verdicts: FileDamageStore;
  readonly published: PublishedFileReader;
  readonly onMismatch: (file: PublishedFile, mismatch: FileMismatch) => void;
  readonly onDamaged: (file: PublishedFile, mismatch: FileMismatch) => void;
  readonly onUnreadable: (file: PublishedFile, error: unknown) => void;
}

export interface VerifyFilesLimits {
  /** Share of the files (0 to 1) whose digest is compared per round. At least one file is compared. */
  readonly digestShare: number;
  /** Time in ms after which a round begins no further digest. */
  readonly digestMs: number;
  /** A round ends when workers have found this many damaged files within an hour. Operators must check before more reports expire. */
  readonly maxDamaged: number;
}

export interface VerifyFilesOutcome {
  readonly digests: number;
  readonly damaged: number;
  readonly unreadable: number;
}

/** The position is saved once per page. If the worker dies, the next round compares the digests of the page again. */
const digestsPerPage = 10;
const maxUnreadableInRow = 3;

/** Verifies the files that were noted as suspicious, until `maxDamaged` files were damaged within an hour. Returns the number of damaged files. */
export async function verifySuspiciousFiles(
  deps: VerifyFilesDeps,
  maxDamaged: number,
  signal: AbortSignal,
): Promise<number> {
  const round = await beginRound(deps, maxDamaged, signal);
  if (round.isOver()) return 0;
  for (const file of await deps.verdicts.suspected(maxDamaged)) {
    if (round.isOver()) break;
    // The note that this file is suspicious moves behind all other notes before the read, so that an unreadable file does not block the others.
    await deps.verdicts.defer(file.reportId);
    await round.confirm(file);
  }
  return round.damaged();
}

/**
 * Compares the digests of the next files in key order. A file that differs is read twice more before its report expires. Rejects with
 * StoreUnavailableError. Safe to run concurrently.
 */
export async function verifyFiles(
  deps: VerifyFilesDeps,
  limits: VerifyFilesLimits,
  signal: AbortSignal,
): Promise<VerifyFilesOutcome> {
  // One check per round suffices, because confirmFileDamage checks the store again before it marks a file.
  await deps.identity.assert({ signal });
  const round = await beginRound(deps, limits.maxDamaged, signal);
  const endAt = performance.now() + limits.digestMs;
  const wanted = Math.ceil((await deps.published.count()) * limits.digestShare);
  let digests = 0;
  const isOver = (): boolean => digests >= wanted || round.isOver() || performance.now() >= endAt;
  let after = await deps.published.position();
  while (!isOver()) {
    const page = await deps.published.following(after, Math.min(digestsPerPage, wanted - digests));
    if (page.length === 0) after = null;
    try {
      for (const file of page) {
        if (isOver()) break;
        await compareDigest(deps, round, file, signal);
        digests += 1;
        after = file.storageKey;
      }
    } catch (error) {
      // Otherwise, unreadable files would block all later files in the next rounds.
      await deps.published.savePosition(after).catch(() => undefined);
      throw error;
    }
    await deps.published.savePosition(after);
    if (page.length === 0) break;
  }
  return { digests, damaged: round.damaged(), unreadable: round.unreadable() };
}

interface Round {
  confirm(file: PublishedFile): Promise<void>;
  suspect(file: PublishedFile, mismatch: FileMismatch): Promise<void>;
  /** Runs `work` on a file. Returns null if the file cannot be read. Throws at the third unreadable file in a row. */
  read<Result>(file: PublishedFile, work: () => Promise<Result>): Promise<Result | null>;
  isOver(): boolean;
  damaged(): number;
  unreadable(): number;
}

async function beginRound(deps: VerifyFilesDeps, maxDamaged: number, signal: AbortSignal): Promise<Round> {
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
      // Read the number of damaged files again, because other workers also mark files as damaged.
      recentlyDamaged = await deps.verdicts.recentlyDamaged();
      if (round.isOver()) return;
      const verdict = await round.read(file, async () => confirmFileDamage(deps, file, signal));
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

async function compareDigest(
  deps: VerifyFilesDeps,
  round: Round,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<void> {
  const state = await round.read(file, async () => checkFile(deps, file, signal));
  if (state?.kind === "differs") await round.suspect(file, state.mismatch);
  else if (state?.kind === "whole") await saveFileVersion(deps, file, state.stat);
}

async function checkFile(deps: VerifyFilesDeps, file: PublishedFile, signal: AbortSignal): Promise<FileCheckResult> {
  const stat = await deps.files.stat(file.storageKey, { signal });
  if (stat === null) return { kind: "missing" };
  if (stat.sha256 === null) return verifyWholeFile(deps, file, signal);
  const mismatch = findSizeMismatch(file, stat.sizeBytes) ?? findDigestMismatch(file, stat.sha256);
  return mismatch === null ? { kind: "whole", stat } : { kind: "differs", mismatch };
}
