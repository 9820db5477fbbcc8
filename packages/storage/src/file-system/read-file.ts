import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ByteRange } from "@reports/core/base";
import type { LimitedFileCalls } from "./limited-file-calls.ts";

const readBufferBytes = 1024 * 1024;
/** Time limit of each read of a file's bytes in ms. An object store has the same limit for the time without a byte. */
const readTimeoutMs = 30_000;

/** Returns the bytes of an open file as a stream. The stream closes the file. */
export function streamFile(
  calls: LimitedFileCalls,
  path: string,
  handle: FileHandle,
  range: ByteRange | undefined,
): Readable {
  const end = range === undefined ? Number.POSITIVE_INFINITY : range.end + 1;
  let position = range?.start ?? 0;
  let reading: Promise<unknown> | undefined;

  const readNext = async (): Promise<Buffer | null> => {
    const length = Math.min(readBufferBytes, end - position);
    if (length === 0) return null;
    const call = handle.read(Buffer.allocUnsafeSlow(length), 0, length, position);
    reading = call;
    const { buffer, bytesRead } = await call;
    position += bytesRead;
    if (bytesRead === 0) return null;
    if (bytesRead === length) return buffer;
    // A slice of the buffer would keep the whole buffer of up to 1 MiB in memory.
    const copy = Buffer.allocUnsafeSlow(bytesRead);
    buffer.copy(copy, 0, 0, bytesRead);
    return copy;
  };

  const leaving = new AbortController();
  const body = new Readable({
    highWaterMark: readBufferBytes,
    read() {
      calls.read(path, readNext, { timeoutMs: readTimeoutMs, signal: leaving.signal }).then(
        (chunk) => void body.push(chunk),
        (error: unknown) => body.destroy(error as Error),
      );
    },
    destroy(error, callback) {
      leaving.abort();
      // The file is closed only after the read in progress. Otherwise the system could give the read's descriptor to another file.
      calls.close(handle, reading);
      callback(error);
    },
  });
  return body;
}
