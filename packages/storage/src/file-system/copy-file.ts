import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StoreUnavailableError, type PutFile } from "@reports/core/base";
import { setStoredFileMode, storedFileMode } from "./durable.ts";
import type { LimitedFileCalls } from "./limited-file-calls.ts";

const bufferBytes = 1024 * 1024;

/**
 * Copies a finished file into the store and flushes the copy to the disk. Rejects if its size or hash differ from `file`. Calls `onMade` when the
 * copy exists, so that the caller can remove the copy after a failure.
 */
export async function copyFinishedFile(
  calls: LimitedFileCalls,
  file: PutFile,
  to: string,
  onMade: () => void,
): Promise<void> {
  const { signal } = file;
  await using source = await open(file.path, "r");
  await using target = await calls.mutate(async () => open(to, "wx", storedFileMode), { signal });
  onMade();
  // The umask of the process has reduced the mode that was passed to `open`, so the mode is set again.
  await calls.mutate(async () => setStoredFileMode(to), { signal });
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let copiedBytes = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, bufferBytes, copiedBytes);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    const position = copiedBytes;
    await calls.mutate(async () => writeAll(target, chunk, position), { signal });
    copiedBytes += bytesRead;
  }
  assertSizeAndHash(file, copiedBytes, hash.digest("hex"));
  await calls.mutate(async () => target.sync(), { signal });
}

/** Throws unless size and hash are those in `file`. A difference means that the local file has changed or that its disk is failing. */
export function assertSizeAndHash(file: PutFile, sizeBytes: number, sha256: string): void {
  if (sizeBytes === file.sizeBytes && sha256 === file.sha256) return;
  throw new StoreUnavailableError(
    `The file for ${file.key} changed before it was stored: ${file.sizeBytes} bytes were announced, ${sizeBytes} were read${
      sizeBytes === file.sizeBytes ? ", and their SHA-256 differs" : ""
    }. Render it again.`,
  );
}

async function writeAll(
  target: {
    write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  },
  chunk: Buffer,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < chunk.length) {
    const { bytesWritten } = await target.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
