import { isUtf8 } from "node:buffer";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { BrokenRowsError } from "./broken-rows-error.ts";
import { freeMemory } from "./unshared-memory.ts";

const blockBytes = 256 * 1024;
const maxRowBytes = 64 * 1024 * 1024;
const quote = 0x22;
const lineFeed = 0x0a;

/** Whole rows of the wire form in valid UTF-8. The next block overwrites `bytes`. */
export interface RowBlock {
  readonly bytes: Buffer;
  readonly rows: number;
}

/**
 * Cuts the wire form into blocks of whole rows of about 256 KB. A longer row makes a larger block, up to 64 MB. Frees each chunk of the stream after
 * use, and the block's memory at the end. Rejects with BrokenRowsError if the bytes end inside a row. Replaces invalid UTF-8 by U+FFFD.
 */
export async function* readRowBlocks(bytes: Readable): AsyncGenerator<RowBlock, void> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  let length = 0;
  const border = { scanned: 0, inQuotes: false, end: 0, rows: 0 };
  try {
    for await (const chunk of readChunks(bytes)) {
      let taken = 0;
      while (taken < chunk.length) {
        const size = Math.min(buffer.length - length, chunk.length - taken);
        chunk.copy(buffer, length, taken, taken + size);
        taken += size;
        length += size;
        if (length < buffer.length) break;
        scanRows(buffer, length, border);
        if (border.rows === 0) {
          buffer = growBuffer(buffer);
          continue;
        }
        yield toBlock(buffer, border.end, border.rows);
        buffer.copyWithin(0, border.end, length);
        length -= border.end;
        border.scanned -= border.end;
        border.end = 0;
        border.rows = 0;
      }
      freeMemory(chunk);
    }
    scanRows(buffer, length, border);
    if (border.end < length) {
      throw new BrokenRowsError(
        "The rows ended in the middle of a row. Start the report again. If this repeats, its source is broken.",
      );
    }
    if (border.rows > 0) yield toBlock(buffer, border.end, border.rows);
  } finally {
    freeMemory(buffer);
  }
}

/** Returns the chunks as they arrive. Iterating a byte stream directly would join buffered chunks, and leave their memory to garbage collection. */
function readChunks(bytes: Readable): AsyncIterable<Buffer> {
  if (bytes.readableObjectMode) return bytes;
  const chunks = new PassThrough({
    readableObjectMode: true,
    readableHighWaterMark: 4,
    writableHighWaterMark: blockBytes,
  });
  // The reader of `chunks` receives the errors of `bytes`.
  return pipeline(bytes, chunks, () => undefined);
}

export function findRowOffsetBytes(bytes: Uint8Array, row: number): number {
  let rows = 0;
  let inQuotes = false;
  if (row === 0) return 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) inQuotes = !inQuotes;
    else if (byte === lineFeed && !inQuotes && ++rows === row) return at + 1;
  }
  return bytes.length;
}

/** Continues the last scan for ends of rows. A doubled quote flips `inQuotes` twice, so it does not hide the end of a quoted field. */
function scanRows(
  buffer: Buffer,
  length: number,
  border: { scanned: number; inQuotes: boolean; end: number; rows: number },
): void {
  let { inQuotes, end, rows } = border;
  for (let at = border.scanned; at < length; at++) {
    const byte = buffer[at];
    if (byte === quote) inQuotes = !inQuotes;
    else if (byte === lineFeed && !inQuotes) {
      end = at + 1;
      rows++;
    }
  }
  border.scanned = length;
  border.inQuotes = inQuotes;
  border.end = end;
  border.rows = rows;
}

function growBuffer(buffer: Buffer): Buffer {
  if (buffer.length >= maxRowBytes) {
    throw new BrokenRowsError("A row is longer than 64 MB. Leave out the column that holds such long values.");
  }
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}

function toBlock(buffer: Buffer, end: number, rows: number): RowBlock {
  const bytes = buffer.subarray(0, end);
  return { bytes: isUtf8(bytes) ? bytes : Buffer.from(bytes.toString("utf8")), rows };
}
