import { Buffer } from "node:buffer";

/** Growing output of an encoder. Callers reserve room, write into `bytes` at `length`, and move `length` on. */
export class ByteBuffer {
  bytes: Buffer;
  length = 0;

  constructor(startBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(startBytes);
  }

  /** Makes room for at least so many more bytes. */
  reserve(extraBytes: number): void {
    const needed = this.length + extraBytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  /** Appends one byte; its room must have been reserved. */
  push(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  /** Appends a part of other bytes. */
  append(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    this.reserve(size);
    const { bytes } = this;
    let at = this.length;
    // A call into native code costs more than copying a short field.
    if (size > 96) bytes.set(source.subarray(start, end), at);
    else for (let from = start; from < end; from++) bytes[at++] = source[from] as number;
    this.length += size;
  }

  /** Appends text as UTF-8. For rare things; hot paths keep their constants as bytes. */
  appendText(text: string): void {
    this.append(Buffer.from(text, "utf8"));
  }

  /** What was written, valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
