import { createHash } from "node:crypto";
import { FileNotFoundError, StoreUnavailableError } from "../../base/errors.ts";
import type { FileStat, FileStore, StoreIdentity } from "../../base/file-store.ts";
import { digestMismatch, sizeMismatch, type FileMismatch, type PublishedBytes } from "./file-mismatch.ts";

/** A file that an active SUCCEEDED record names. */
export interface PublishedFile extends PublishedBytes {
  readonly reportId: string;
  readonly storageKey: string;
}

/** Records that a report's file looked damaged, for later verification. */
export interface FileSuspicions {
  /** Idempotent. Rejects with StoreUnavailableError. */
  note(reportId: string): Promise<void>;
}

/** All methods reject with StoreUnavailableError. */
export interface FileVerdicts {
  /** Published files that were noted as suspicious, oldest note first. */
  suspected(limit: number): Promise<readonly PublishedFile[]>;
  clear(reportId: string): Promise<void>;
  /** Moves the note behind all others, because the file cannot be read now. */
  defer(reportId: string): Promise<void>;
  /** The file is right, but has another version of the store: a restored copy. Stores this version. */
  saveVersion(file: PublishedFile, version: string): Promise<void>;
  /** Files that any work marked as damaged within the last hour. */
  recentlyDamaged(): Promise<number>;
  /** SUCCEEDED → EXPIRED (FILE_DAMAGED). The key is kept for good. False if the record no longer names the file. */
  markDamaged(file: PublishedFile, mismatch: FileMismatch): Promise<boolean>;
}

export interface ConfirmDeps {
  readonly files: Pick<FileStore, "open">;
  readonly identity: StoreIdentity;
  readonly verdicts: Pick<FileVerdicts, "clear" | "saveVersion" | "markDamaged">;
  /** Limits reading; resolves when that many more bytes may be read. */
  readonly pace: (bytes: number, signal: AbortSignal) => Promise<void>;
}

/** `missing` is left to the comparison of files and records. */
export type FileCheck =
  | { readonly kind: "whole"; readonly stat: FileStat }
  | { readonly kind: "differs"; readonly mismatch: FileMismatch }
  | { readonly kind: "missing" };

/** `closed`: the record no longer names the file. */
export type SuspicionOutcome =
  | { readonly kind: "whole" | "missing" | "closed" }
  | { readonly kind: "damaged"; readonly mismatch: FileMismatch };

/**
 * Reads a suspicious file twice, and ends its record if both reads find the same wrong size or digest in the right store. Rejects with
 * StoreUnavailableError (StoreMismatchError) without a verdict, also if the reads differ.
 */
export async function confirmDamage(
  deps: ConfirmDeps,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<SuspicionOutcome> {
  await deps.identity.assert({ signal });
  const first = await readWhole(deps, file, signal);
  const state = first.kind === "differs" ? await readWhole(deps, file, signal) : first;
  if (state.kind === "differs") {
    if (first.kind === "differs" && first.mismatch.found !== state.mismatch.found) {
      throw new StoreUnavailableError("Two reads of a stored file found different bytes.");
    }
    // A read counts only if the store is the right one.
    await deps.identity.assert({ signal });
    const marked = await deps.verdicts.markDamaged(file, state.mismatch);
    return marked ? { kind: "damaged", mismatch: state.mismatch } : { kind: "closed" };
  }
  if (state.kind === "whole") await saveVersionOf(deps, file, state.stat);
  await deps.verdicts.clear(file.reportId);
  return { kind: state.kind };
}

/** Compares size and digest by reading the whole file. Rejects with StoreUnavailableError if the read fails, which says nothing about the file. */
export async function readWhole(
  deps: Pick<ConfirmDeps, "files" | "pace">,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<FileCheck> {
  try {
    const { stat, body } = await deps.files.open(file.storageKey, { signal });
    const wrongSize = sizeMismatch(file, stat.sizeBytes);
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
    // A read that ended early says nothing about the file.
    if (seenBytes !== stat.sizeBytes) {
      throw new StoreUnavailableError(`A stored file of ${stat.sizeBytes} bytes was read as ${seenBytes}.`);
    }
    const mismatch = digestMismatch(file, hash.digest("hex"));
    return mismatch === null ? { kind: "whole", stat } : { kind: "differs", mismatch };
  } catch (error) {
    if (error instanceof FileNotFoundError) return { kind: "missing" };
    throw error;
  }
}

/** The bytes are the published ones, whatever version the store names. */
export async function saveVersionOf(
  { verdicts }: { readonly verdicts: Pick<FileVerdicts, "saveVersion"> },
  file: PublishedFile,
  { version }: Pick<FileStat, "version">,
): Promise<void> {
  if (version !== file.storedVersion) await verdicts.saveVersion(file, version);
}
