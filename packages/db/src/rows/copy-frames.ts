import { Buffer } from "node:buffer";

const copyOutResponse = 0x48;
const copyData = 0x64;
const endMessageTypes: ReadonlySet<number> = new Set([0x63, 0x45]);
const headerBytes = 5;

/**
 * Returns a function that gets the consecutive chunks of a connection. For each chunk, it returns the index of the message CopyOutResponse, which
 * starts a COPY, or -1 if the chunk has none.
 */
export function createCopyStartFinder(): (chunk: Buffer) => number {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let left = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const skipped = Math.min(left, chunk.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      if (headerFilled === 0 && chunk[at] === copyOutResponse) return at;
      while (headerFilled < headerBytes && at < chunk.length) header[headerFilled++] = chunk[at++] as number;
      if (headerFilled < headerBytes) break;
      headerFilled = 0;
      left = header.readUInt32BE(1) - 4;
    }
    return -1;
  };
}

export interface CopyChunk {
  /**
   * The rows of the chunk without message frames. The buffer is a view of the chunk's memory, in which the function has joined the bytes of the
   * rows.
   */
  readonly rows: Buffer;
  /** The last message of the COPY and all bytes after it. Null if more rows may follow. */
  readonly rest: Buffer | null;
}

/**
 * Returns a function that removes the message frames of a `COPY … TO STDOUT` (PostgreSQL's frontend/backend protocol 3.0, "COPY Operations"). It
 * joins the rows within the chunk, so that it allocates no memory. Notices and parameter changes are skipped.
 */
export function createCopyParser(): (chunk: Buffer) => CopyChunk {
  const header = Buffer.alloc(headerBytes);
  let headerFilled = 0;
  let kind = 0;
  let left = 0;
  return (chunk) => {
    let to = 0;
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const end = Math.min(at + left, chunk.length);
        if (kind === copyData) {
          if (to !== at) chunk.copyWithin(to, at, end);
          to += end - at;
        }
        left -= end - at;
        at = end;
        continue;
      }
      while (headerFilled < headerBytes && at < chunk.length) header[headerFilled++] = chunk[at++] as number;
      if (headerFilled < headerBytes) break;
      headerFilled = 0;
      kind = header[0] as number;
      if (endMessageTypes.has(kind)) {
        return { rows: chunk.subarray(0, to), rest: Buffer.concat([header, chunk.subarray(at)]) };
      }
      left = header.readUInt32BE(1) - 4;
    }
    return { rows: chunk.subarray(0, to), rest: null };
  };
}
