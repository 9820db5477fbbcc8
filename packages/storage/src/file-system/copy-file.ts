import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StoreUnavailableError, type PutFile } from "@reports/core/base";
import { setStoredMode, storedMode } from "./durable.ts";
import type { FileCalls } from "./file-calls.ts";

const bufferBytes = 1024 * 1024;

/**
 * Copies the finished file to a new path in 1 MB steps and flushes it. Rejects when the bytes are not those announced,
 * and with the signal's reason between two steps. Tells when there is something at the new path.
 */
export async function copyFinishedFile(calls: FileCalls, file: PutFile, to: string, onMade: () => void): Promise<void> {
  const { signal } = file;
  await using source = await open(file.path, "r");
  await using target = await calls.change(async () => open(to, "wx", storedMode), { signal });
  onMade();
  // A mode that is given to open is less what the process's umask takes away.
  await calls.change(async () => setStoredMode(to), { signal });
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
    await calls.change(async () => writeAll(target, chunk, position), { signal });
    copiedBytes += bytesRead;
  }
  assertAnnounced(file, copiedBytes, hash.digest("hex"));
  await calls.change(async () => target.sync(), { signal });
}

/** Rejects when size or hash are not those that the put announced: the local file has been changed or its disk is failing. */
export function assertAnnounced(file: PutFile, sizeBytes: number, sha256: string): void {
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
