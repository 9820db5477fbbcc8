import { createHash } from "node:crypto";
import { FileNotFoundError, StoreUnavailableError } from "../../base/errors.ts";
import type { FileStat, FileStore, StoreIdentity } from "../../base/file-store.ts";
import {
  findDigestMismatch,
  findSizeMismatch,
  type FileMismatch,
  type PublishedFileProperties,
} from "./file-mismatch.ts";

export interface PublishedFile extends PublishedFileProperties {
  readonly reportId: string;
  readonly storageKey: string;
}

export interface SuspiciousFileRecorder {
  /** Marks a report's file as suspicious. Changes nothing for a marked file. Rejects with StoreUnavailableError if the database is down. */
  note(reportId: string): Promise<void>;
}

export interface FileDamageStore {
  suspected(limit: number): Promise<readonly PublishedFile[]>;
  clear(reportId: string): Promise<void>;
  /** Moves the note about a file behind all others, so that an unreadable file blocks no other file. */
  defer(reportId: string): Promise<void>;
  /** Saves the store's new version of a file whose bytes are correct, for example after a restore of the store. */
  saveVersion(file: PublishedFile, version: string): Promise<void>;
  recentlyDamaged(): Promise<number>;
  /**
   * Changes the report from SUCCEEDED to EXPIRED (FILE_DAMAGED). Keeps the key of the file, so that the reconciler never removes the file as
   * orphaned. Returns false if the record no longer names the file.
   */
  markDamaged(file: PublishedFile, mismatch: FileMismatch): Promise<boolean>;
}

export interface ConfirmFileDamageDeps {
  readonly files: Pick<FileStore, "open">;
  readonly identity: StoreIdentity;
  readonly verdicts: Pick<FileDamageStore, "clear" | "saveVersion" | "markDamaged">;
  /** Limits the rate of reads: resolves when `bytes` more bytes may be read. */
  readonly pace: (bytes: number, signal: AbortSignal) => Promise<void>;
}

export type FileCheckResult =
  | { readonly kind: "whole"; readonly stat: FileStat }
  | { readonly kind: "differs"; readonly mismatch: FileMismatch }
  | { readonly kind: "missing" };

/** The decision about a suspicious file. `closed`: the record no longer names the file. */
export type FileDamageDecision =
  | { readonly kind: "whole" | "missing" | "closed" }
  | { readonly kind: "damaged"; readonly mismatch: FileMismatch };

/**
 * Reads a suspicious file up to twice. Marks it as damaged if both reads find the same wrong size or digest. Rejects without a decision: with
 * StoreUnavailableError if the reads differ or the store is down, with StoreMismatchError in the wrong store.
 */
export async function confirmFileDamage(
  deps: ConfirmFileDamageDeps,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<FileDamageDecision> {
  await deps.identity.assert({ signal });
  const first = await verifyWholeFile(deps, file, signal);
  const state = first.kind === "differs" ? await verifyWholeFile(deps, file, signal) : first;
  if (state.kind === "differs") {
    if (first.kind === "differs" && first.mismatch.found !== state.mismatch.found) {
      throw new StoreUnavailableError("Two reads of a stored file found different bytes.");
    }
    // The store could have been replaced during the reads. Their result counts only if the store still belongs to this database.
    await deps.identity.assert({ signal });
    const marked = await deps.verdicts.markDamaged(file, state.mismatch);
    return marked ? { kind: "damaged", mismatch: state.mismatch } : { kind: "closed" };
  }
  if (state.kind === "whole") await saveFileVersion(deps, file, state.stat);
  await deps.verdicts.clear(file.reportId);
  return { kind: state.kind };
}

/**
 * Compares the size and digest of the whole file. Returns `missing` if the store does not have it. Rejects with StoreUnavailableError if the read
 * fails, which does not prove damage.
 */
export async function verifyWholeFile(
  deps: Pick<ConfirmFileDamageDeps, "files" | "pace">,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<FileCheckResult> {
  try {
    const { stat, body } = await deps.files.open(file.storageKey, { signal });
    const wrongSize = findSizeMismatch(file, stat.sizeBytes);
    if (wrongSize !== null) {
      body.destroy();
      return { kind: "differs", mismatch: wrongSize };
    }
    const hash = createHash("sha256");
    let seenBytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      seenBytes += chunk.length;
      await deps.pace(chunk.length, signal);
    }
    if (seenBytes !== stat.sizeBytes) {
      throw new StoreUnavailableError(`A stored file of ${stat.sizeBytes} bytes was read as ${seenBytes}.`);
    }
    const mismatch = findDigestMismatch(file, hash.digest("hex"));
    return mismatch === null ? { kind: "whole", stat } : { kind: "differs", mismatch };
  } catch (error) {
    if (error instanceof FileNotFoundError) return { kind: "missing" };
    throw error;
  }
}

export async function saveFileVersion(
  { verdicts }: { readonly verdicts: Pick<FileDamageStore, "saveVersion"> },
  file: PublishedFile,
  { version }: Pick<FileStat, "version">,
): Promise<void> {
  if (version !== file.storedVersion) await verdicts.saveVersion(file, version);
}
