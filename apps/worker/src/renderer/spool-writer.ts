import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { HostFailureError, PermanentReportError } from "@reports/core/base";
import type { ByteSink } from "../formats/format-renderer.ts";
import { createFullDiskError } from "./full-disk.ts";
import { formatBinarySize } from "./write-size.ts";

const bufferBytes = 512 * 1024;
/** Maximum bytes that are not yet synced to disk. Syncing while rows still arrive keeps the last sync short. */
const maxUnsyncedBytes = 16 * 1024 * 1024;

/** Buffers are reused by the next report, because allocating 1 MB per small report causes garbage collections. */
const idleBuffers: Buffer[] = [];
const reuseBuffer = (): Buffer => idleBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);

export interface SpooledFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A file that is being written. The caller ends it by exactly one of `finish` and `discard`. */
export interface SpoolWriter extends ByteSink {
  sizeBytes(): number;
  finish(): Promise<SpooledFile>;
  discard(): Promise<void>;
}

/**
 * Opens a new spool file, which buffers and hashes what is written. Rejects with SPOOL_LIMIT_EXCEEDED if the file exceeds `maxBytes` minus
 * `otherBytes`, or fills the disk alone. Rejects with HostFailureError if the disk is broken or filled by other files. After an abort, rejects with
 * the reason of the signal.
 */
export async function openSpoolFile(
  path: string,
  limits: { readonly maxBytes: number; readonly otherBytes: () => number; readonly signal: AbortSignal },
): Promise<SpoolWriter> {
  limits.signal.throwIfAborted();
  // A store on the same file system takes over the file with its mode, so the mode is the one that stored files need. Until then, the mode of the
  // spool folder protects the file.
  const handle = await open(path, "wx+", 0o640).catch((error: unknown) => Promise.reject(toSpoolError(error)));
  const spoolError = async (error: unknown): Promise<Error> =>
    createSpoolWriteError(handle, path, error, limits.otherBytes());
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let filling = reuseBuffer();
  let spare = reuseBuffer();
  let filledBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> | null = null;
  let syncedBytes = 0;
  let syncError: Error | null = null;
  let isOverwritten = false;
  let isClosed = false;

  function syncInBackground(): void {
    if (syncing !== null || sizeBytes - syncedBytes < maxUnsyncedBytes) return;
    syncedBytes = sizeBytes;
    syncing = handle
      .datasync()
      // The system reports a failed write only once, so the error is kept for `finish`.
      .catch(async (error: unknown) => (syncError ??= await spoolError(error)))
      .then(() => void (syncing = null));
  }

  async function flush(): Promise<void> {
    const bytes = filling.subarray(0, filledBytes);
    hash.update(bytes);
    await writing;
    limits.signal.throwIfAborted();
    writing = writeFully(handle, bytes).catch(async (error: unknown) => Promise.reject(await spoolError(error)));
    // A failed write must not end the process. The next write or finish rejects with its error.
    writing.catch(() => undefined);
    syncInBackground();
    [filling, spare] = [spare, filling];
    filledBytes = 0;
  }

  return {
    sizeBytes: () => sizeBytes,
    async write(bytes) {
      limits.signal.throwIfAborted();
      sizeBytes += bytes.length;
      const otherBytes = limits.otherBytes();
      if (sizeBytes + otherBytes > limits.maxBytes) throw createSpoolLimitError(limits.maxBytes, otherBytes);
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
      const written = isOverwritten ? await hashWrittenFile(handle, limits.signal) : hash;
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

async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number | null = null): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const to = position === null ? null : position + at;
    at += (await handle.write(bytes, at, bytes.length - at, to)).bytesWritten;
  }
}

async function hashWrittenFile(handle: FileHandle, signal: AbortSignal): Promise<Hash> {
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

/** Returns the error for a failed write. `handle` is null if no file was opened. `otherBytes` is the spool space of other files of the attempt. */
export async function createSpoolWriteError(
  handle: FileHandle | null,
  path: string,
  error: unknown,
  otherBytes = 0,
): Promise<Error> {
  if (errorCode(error) !== "ENOSPC" || handle === null) return toSpoolError(error);
  return createFullDiskError(handle, path, { cause: error, otherBytes });
}

export function createSpoolLimitError(maxBytes: number, otherBytes: number): PermanentReportError {
  const limit = formatBinarySize(maxBytes);
  return new PermanentReportError(
    "SPOOL_LIMIT_EXCEEDED",
    `${otherBytes === 0 ? `The report's file exceeded ${limit}, the largest file that is allowed` : `The rows of the report and its file exceeded ${limit}, which they may take together`}. Narrow its filters, leave out columns, or ask for a compressed format.`,
  );
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Turns a system error of the spool into HostFailureError. Other errors are bugs and are returned unchanged. */
export function toSpoolError(error: unknown): Error {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    const message = "The worker's scratch space is full. Free space in SPOOL_DIR; the report is retried.";
    return new HostFailureError("spool", message, error);
  }
  // Node's own errors (ERR_…) and EEXIST are bugs of this program, not failures of the disk.
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && code !== "EEXIST") {
    const message = `The worker's scratch space cannot be used (${code}). Check SPOOL_DIR; the report is retried.`;
    return new HostFailureError("spool", message, error);
  }
  return error instanceof Error ? error : new Error("Writing the spool file failed.", { cause: error });
}
