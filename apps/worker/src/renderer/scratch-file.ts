import { open, rm, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ScratchBuffer } from "../formats/format-renderer.ts";
import { createSpoolWriteError, createSpoolLimitError, toSpoolError } from "./spool-writer.ts";

const readChunkBytes = 256 * 1024;

/** A file without a name, which is opened by the first write. The system removes it when it is closed or the process ends. */
export interface ScratchFile extends ScratchBuffer {
  sizeBytes(): number;
  /** Closes the file. Never rejects; may be called at any time. */
  close(): Promise<void>;
}

/** Makes a scratch file. Its bytes and the attempt's other scratch space share `maxBytes`: a write rejects with SPOOL_LIMIT_EXCEEDED above it, or with HostFailureError. */
export function createScratchFile(
  path: string,
  { maxBytes, otherBytes }: { readonly maxBytes: number; readonly otherBytes: () => number },
): ScratchFile {
  let handle: FileHandle | null = null;
  let sizeBytes = 0;
  return {
    sizeBytes: () => sizeBytes,
    async write(bytes) {
      sizeBytes += bytes.length;
      const attemptBytes = sizeBytes + otherBytes();
      if (attemptBytes > maxBytes) throw createSpoolLimitError(maxBytes, attemptBytes);
      const file = (handle ??= await openUnnamed(path));
      await file.writeFile(bytes).catch(async (error: unknown) => {
        throw await createSpoolWriteError(file, path, error, otherBytes());
      });
    },
    read() {
      if (handle === null) return Readable.from([]);
      const file = handle.createReadStream({ start: 0, highWaterMark: readChunkBytes });
      const bytes = Readable.from(readChunks(file), { objectMode: true, highWaterMark: 2 });
      // Closes the file, which frees its space, even if the bytes are destroyed unread.
      bytes.once("close", () => file.destroy());
      return bytes;
    },
    async close() {
      await handle?.close().catch(() => undefined);
    },
  };
}

async function openUnnamed(path: string): Promise<FileHandle> {
  const handle = await open(path, "wx+", 0o600).catch((error: unknown) => Promise.reject(toSpoolError(error)));
  await rm(path).catch(async (error: unknown) => {
    await handle.close();
    throw toSpoolError(error);
  });
  return handle;
}

async function* readChunks(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw toSpoolError(error);
  }
}
