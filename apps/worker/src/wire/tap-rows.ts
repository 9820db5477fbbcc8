import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { parseRows, type WireRow } from "./read-rows.ts";
import { readRowBlocks } from "./row-blocks.ts";

/** Returns the same rows, and calls `onRow` with each one before it passes. Destroying the result destroys `bytes`. */
export function tapRows(bytes: Readable, onRow: (row: WireRow) => void): Readable {
  async function* passed(): AsyncGenerator<Buffer> {
    try {
      for await (const block of readRowBlocks(bytes)) {
        // The next block overwrites the memory of this one.
        const own = Buffer.allocUnsafeSlow(block.bytes.length);
        own.set(block.bytes);
        for (const row of parseRows(own)) onRow(row);
        yield own;
      }
    } finally {
      bytes.destroy();
    }
  }
  return Readable.from(passed(), { objectMode: true, highWaterMark: 2 });
}
