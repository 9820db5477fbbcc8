import { createHash } from "node:crypto";
import { FileNotFoundError, StoreUnavailableError } from "../../base/errors.ts";
import type { FileStat, FileStore, StoreIdentity } from "../../base/file-store.ts";
import { digestMismatch, sizeMismatch, type FileMismatch, type PublishedBytes } from "./file-mismatch.ts";

/** A file that a living SUCCEEDED record names. */
export interface PublishedFile extends PublishedBytes {
  readonly reportId: string;
  readonly storageKey: string;
}

/** Remembers that a report's file looked wrong, for somebody who may judge it. */
export interface FileSuspicions {
  /** Noting the same report again changes nothing. Rejects with StoreUnavailableError. */
  note(reportId: string): Promise<void>;
}

/** Where published files are looked up and judged. All methods reject with StoreUnavailableError. */
export interface FileVerdicts {
  /** Files that were noted as suspicious and are still published, oldest note first. */
  suspected(limit: number): Promise<readonly PublishedFile[]>;
  /** Takes the note back. */
  clear(reportId: string): Promise<void>;
  /** Puts the note behind all others, because the file cannot be read now. */
  defer(reportId: string): Promise<void>;
  /** The whole file was found under another version of the store than was kept: a restored copy. From now on this one counts. */
  keepVersion(file: PublishedFile, version: string): Promise<void>;
  /** How many files were marked as damaged within the last hour, by whomever. */
  damagedLately(): Promise<number>;
  /**
   * SUCCEEDED → EXPIRED because of FILE_DAMAGED for the record that names the file, whose key is remembered for good, so that nothing removes
   * the object. False when the record no longer names it.
   */
  markDamaged(file: PublishedFile, mismatch: FileMismatch): Promise<boolean>;
}

/** What a judgement needs. */
export interface ConfirmDeps {
  readonly files: Pick<FileStore, "open">;
  readonly identity: StoreIdentity;
  readonly verdicts: Pick<FileVerdicts, "clear" | "keepVersion" | "markDamaged">;
  /** Slows reading down; resolves when so many more bytes may be read. */
  readonly pace: (bytes: number, signal: AbortSignal) => Promise<void>;
}

/** What a look at a file gave. `missing` is for the comparison of files and records to judge. */
export type FileLook =
  | { readonly kind: "whole"; readonly stat: FileStat }
  | { readonly kind: "differs"; readonly mismatch: FileMismatch }
  | { readonly kind: "missing" };

/** How a suspicion ended; `closed`: the record no longer names the file. */
export type SuspicionOutcome =
  | { readonly kind: "whole" | "missing" | "closed" }
  | { readonly kind: "damaged"; readonly mismatch: FileMismatch };

/**
 * Reads a file that looked damaged, and ends its record when two reads find the same other size or digest, in a store that belongs to the
 * database before and after them: a suspicion may rest on no read at all. Rejects with StoreUnavailableError (StoreMismatchError) without
 * a verdict, also when the two reads find different bytes.
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
    // What was read counts only if it was read from the right store.
    await deps.identity.assert({ signal });
    const marked = await deps.verdicts.markDamaged(file, state.mismatch);
    return marked ? { kind: "damaged", mismatch: state.mismatch } : { kind: "closed" };
  }
  if (state.kind === "whole") await keepVersionOf(deps, file, state.stat);
  await deps.verdicts.clear(file.reportId);
  return { kind: state.kind };
}

/** Compares size and digest by reading the file to its end. Rejects with StoreUnavailableError when it cannot be read, which says nothing of the file. */
export async function readWhole(
  deps: Pick<ConfirmDeps, "files" | "pace">,
  file: PublishedFile,
  signal: AbortSignal,
): Promise<FileLook> {
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
    // A read that ended early, though in order, says nothing of the file.
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

/** Whatever the store calls it by now: these are the published bytes. */
export async function keepVersionOf(
  { verdicts }: { readonly verdicts: Pick<FileVerdicts, "keepVersion"> },
  file: PublishedFile,
  { version }: Pick<FileStat, "version">,
): Promise<void> {
  if (version !== file.storedVersion) await verdicts.keepVersion(file, version);
}
