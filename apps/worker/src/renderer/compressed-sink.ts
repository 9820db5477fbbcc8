import { Buffer } from "node:buffer";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import type { Compression } from "@reports/core/report";
import type { ByteSink } from "../formats/format-renderer.ts";

const chunkBytes = 256 * 1024;

/** `finish` writes the end of the compressed bytes; `discard` frees it without. */
export interface CompressedSink extends ByteSink {
  finish(): Promise<void>;
  discard(): void;
}

/** Compresses into another sink: gzip or zstd at level 1, or nothing. */
export function compressInto(target: ByteSink, compression: Compression): CompressedSink {
  if (compression === "none") {
    return {
      write: (bytes) => target.write(bytes),
      overwrite: (at, bytes) => target.overwrite(at, bytes),
      finish: () => Promise.resolve(),
      discard: () => undefined,
    };
  }
  const stream =
    compression === "gzip"
      ? createGzip({ level: 1, chunkSize: chunkBytes, memLevel: 9 })
      : createZstdCompress({ chunkSize: chunkBytes, params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const drained = (async () => {
    for await (const bytes of stream as AsyncIterable<Buffer>) await target.write(bytes);
  })();
  // The next write or finish rejects with it; a discarded sink has no caller left.
  drained.catch(() => undefined);

  // The compressor keeps bytes beyond a write, so one copy fills while it works on the other; fresh memory costs more.
  let filling: Buffer = Buffer.alloc(0);
  let compressing: Buffer = Buffer.alloc(0);
  let compressed: Promise<void> = Promise.resolve();

  return {
    async write(bytes) {
      if (stream.destroyed) await drained;
      if (filling.length < bytes.length) filling = Buffer.allocUnsafeSlow(bytes.length * 2);
      filling.set(bytes);
      await Promise.race([compressed, drained]);
      const copy = filling.subarray(0, bytes.length);
      compressed = new Promise((resolve) => stream.write(copy, () => resolve()));
      [filling, compressing] = [compressing, filling];
    },
    overwrite: () => Promise.reject(new Error("Compressed bytes cannot be replaced.")),
    async finish() {
      stream.end();
      await drained;
    },
    discard() {
      stream.destroy();
    },
  };
}
