import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { HostFailureError, PermanentReportError } from "@reports/core/base";
import type { ByteSink } from "../formats/format-renderer.ts";
import { fullDiskError } from "./full-disk.ts";
import { writeSize } from "./write-size.ts";

const bufferBytes = 512 * 1024;
/** So much may be in memory alone: the disk works while rows still come, and nobody's commit waits behind all of the file at its end. */
const unsyncedBytes = 16 * 1024 * 1024;

/** Of the report before: a megabyte that is asked for anew for each report costs a small one a collection of garbage now and then. */
const idleBuffers: Buffer[] = [];
const takeBuffer = (): Buffer => idleBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);

/** What stands in a finished spool file. */
export interface SpooledFile {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A file under construction. Exactly one of `finish` and `discard` ends it. */
export interface SpoolWriter extends ByteSink {
  /** How many bytes were written so far. */
  sizeBytes(): number;
  /** Writes what is left, brings it to the disk, and closes. */
  finish(): Promise<SpooledFile>;
  /** Closes and removes the file. Never rejects; may be called after anything. */
  discard(): Promise<void>;
}

/**
 * Opens a spool file that does not exist yet. Writes are gathered into large ones; the hash is taken on the way.
 * Writing past `maxBytes`, less what else the attempt takes beside it by then, rejects with SPOOL_LIMIT_EXCEEDED, as does filling a disk alone; a disk that is full
 * of other files too, or broken, rejects with HostFailureError, an aborted signal with its reason.
 */
export async function openSpool(
  path: string,
  limits: { readonly maxBytes: number; readonly besideBytes: () => number; readonly signal: AbortSignal },
): Promise<SpoolWriter> {
  limits.signal.throwIfAborted();
  // The mode that a store on the same file system wants of it. Until then the spool folder keeps others out.
  const handle = await open(path, "wx+", 0o640).catch((error: unknown) => Promise.reject(toSpoolError(error)));
  const spoolError = async (error: unknown): Promise<Error> => spoolErrorOf(handle, path, error, limits.besideBytes());
  const hash = createHash("sha256");
  let sizeBytes = 0;
  // One buffer is filled while the other is being written.
  let filling = takeBuffer();
  let spare = takeBuffer();
  let filledBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> | null = null;
  let syncedBytes = 0;
  let syncError: Error | null = null;
  let isOverwritten = false;
  let isClosed = false;

  function syncBeside(): void {
    if (syncing !== null || sizeBytes - syncedBytes < unsyncedBytes) return;
    syncedBytes = sizeBytes;
    syncing = handle
      .datasync()
      // Kept, because the system tells of what it could not write only once.
      .catch(async (error: unknown) => (syncError ??= await spoolError(error)))
      .then(() => void (syncing = null));
  }

  async function flush(): Promise<void> {
    const bytes = filling.subarray(0, filledBytes);
    hash.update(bytes);
    await writing;
    limits.signal.throwIfAborted();
    writing = writeFully(handle, bytes).catch(async (error: unknown) => Promise.reject(await spoolError(error)));
    // The next write or finish rejects with the failure.
    writing.catch(() => undefined);
    syncBeside();
    [filling, spare] = [spare, filling];
    filledBytes = 0;
  }

  return {
    sizeBytes: () => sizeBytes,
    async write(bytes) {
      limits.signal.throwIfAborted();
      sizeBytes += bytes.length;
      const besideBytes = limits.besideBytes();
      if (sizeBytes + besideBytes > limits.maxBytes) throw tooManyBytes(limits.maxBytes, besideBytes);
      for (let taken = 0; taken < bytes.length;) {
        const part = bytes.subarray(taken, taken + bufferBytes - filledBytes);
        filling.set(part, filledBytes);
        filledBytes += part.length;
        taken += part.length;
        if (filledBytes === bufferBytes) await flush();
      }
    },
    async overwrite(at, bytes) {
      await flush();
      await writing;
      isOverwritten = true;
      await writeFully(handle, bytes, at).catch(async (error: unknown) => Promise.reject(await spoolError(error)));
    },
    async finish() {
      await flush();
      await writing;
      if (idleBuffers.length === 0) idleBuffers.push(filling, spare);
      await syncing;
      if (syncError !== null) throw syncError;
      await handle.datasync().catch(async (error: unknown) => Promise.reject(await spoolError(error)));
      const written = isOverwritten ? await hashAgain(handle, limits.signal) : hash;
      isClosed = true;
      await handle.close().catch((error: unknown) => Promise.reject(toSpoolError(error)));
      limits.signal.throwIfAborted();
      return { sizeBytes, sha256: written.digest("hex") };
    },
    async discard() {
      await writing.catch(() => undefined);
      await syncing;
      if (!isClosed) {
        isClosed = true;
        await handle.close().catch(() => undefined);
      }
      await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

/** Writes at the end, or from a position on. */
async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number | null = null): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const to = position === null ? null : position + at;
    at += (await handle.write(bytes, at, bytes.length - at, to)).bytesWritten;
  }
}

async function hashAgain(handle: FileHandle, signal: AbortSignal): Promise<Hash> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle
      .read(buffer, 0, buffer.length, at)
      .catch((error: unknown) => Promise.reject(toSpoolError(error)));
    if (bytesRead === 0) return hash;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** What a failed write to a file of the scratch space means to the report. `handle` is null where the file could not be opened; `besideBytes` is what the attempt takes elsewhere on the disk. */
export async function spoolErrorOf(
  handle: FileHandle | null,
  path: string,
  error: unknown,
  besideBytes = 0,
): Promise<Error> {
  if (codeOf(error) !== "ENOSPC" || handle === null) return toSpoolError(error);
  return fullDiskError(handle, path, { cause: error, besideBytes });
}

/** The report takes more of the scratch space than is allowed. */
export function tooManyBytes(maxBytes: number, besideBytes: number): PermanentReportError {
  const limit = writeSize(maxBytes);
  return new PermanentReportError(
    "SPOOL_LIMIT_EXCEEDED",
    `${besideBytes === 0 ? `The report's file exceeded ${limit}, the largest file that is allowed` : `The rows of the report and its file exceeded ${limit}, which they may take together`}. Narrow its filters, leave out columns, or ask for a compressed format.`,
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Turns an error of the system about the scratch space into HostFailureError; anything else is a bug and stays what it is. */
export function toSpoolError(error: unknown): Error {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    const message = "The worker's scratch space is full. Free space in SPOOL_DIR; the report is retried.";
    return new HostFailureError("spool", message, error);
  }
  // Node's own errors (ERR_…) are bugs, and so is a file that exists already.
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && code !== "EEXIST") {
    const message = `The worker's scratch space cannot be used (${code}). Check SPOOL_DIR; the report is retried.`;
    return new HostFailureError("spool", message, error);
  }
  return error instanceof Error ? error : new Error("Writing the spool file failed.", { cause: error });
}
