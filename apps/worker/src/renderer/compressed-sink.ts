import { Buffer } from "node:buffer";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import type { Compression } from "@reports/core/report";
import type { ByteSink } from "../formats/format-renderer.ts";

const chunkBytes = 256 * 1024;

/** A sink that compresses. `finish` writes the end of the compressed bytes. `discard` frees the compressor and writes nothing. */
export interface CompressedSink extends ByteSink {
  finish(): Promise<void>;
  discard(): void;
}

/** Makes a sink that writes to `target` what it has compressed with gzip or zstd at level 1, or unchanged bytes. */
export function createCompressedSink(target: ByteSink, compression: Compression): CompressedSink {
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
  // The next write or finish rejects with this error. After a discard nobody waits for it, and it must not end the process.
  drained.catch(() => undefined);

  // The compressor still reads its input after `write` returns. So there are two buffers: one is filled while the compressor reads the other. New
  // memory per write would cost more.
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
