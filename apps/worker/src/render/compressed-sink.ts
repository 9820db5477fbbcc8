import { Buffer } from "node:buffer";
import { once } from "node:events";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import type { Compression } from "@reports/core";
import type { ByteSink } from "./format-renderer.ts";

const chunkBytes = 256 * 1024;

/** A sink in front of another one. `finish` writes the end of the compressed bytes; `discard` frees it without. */
export interface CompressedSink extends ByteSink {
  finish(): Promise<void>;
  discard(): void;
}

/** Compresses on the way into another sink: gzip at level 1, zstd at level 1, or not at all. */
export function compressInto(target: ByteSink, compression: Compression): CompressedSink {
  if (compression === "none") {
    return { write: (bytes) => target.write(bytes), finish: () => Promise.resolve(), discard: () => undefined };
  }
  const stream =
    compression === "gzip"
      ? createGzip({ level: 1, chunkSize: chunkBytes, memLevel: 9 })
      : createZstdCompress({ chunkSize: chunkBytes, params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const drained = (async () => {
    for await (const bytes of stream as AsyncIterable<Buffer>) await target.write(bytes);
  })();
  // Whoever writes or finishes is told; a discarded sink has nobody left to tell.
  drained.catch(() => undefined);

  return {
    async write(bytes) {
      if (stream.destroyed) await drained;
      // The compressor works on one block while the next one is made.
      if (stream.writableNeedDrain) await Promise.race([once(stream, "drain"), drained]);
      // The compressor keeps the bytes beyond this call.
      stream.write(Buffer.from(bytes));
    },
    async finish() {
      stream.end();
      await drained;
    },
    discard() {
      stream.destroy();
    },
  };
}
