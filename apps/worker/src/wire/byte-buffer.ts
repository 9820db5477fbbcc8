import { Buffer } from "node:buffer";

const bytesPerWord = 4;

/** Bytes as little-endian 32-bit words, padded with zeros, so that a single assignment writes four bytes. */
export interface AlignedBytes {
  readonly words: Uint32Array;
  readonly length: number;
}

export function toAlignedBytes(text: string): AlignedBytes {
  const bytes = Buffer.from(text, "utf8");
  const { length } = bytes;
  const words = new Uint32Array(Math.ceil(length / bytesPerWord));
  // Each xlsx makes hundreds of these. An iterator and a DataView would allocate five times the memory.
  for (let at = 0; at < length; at++) words[Math.floor(at / bytesPerWord)]! |= bytes[at]! << (8 * (at % bytesPerWord));
  return { words, length };
}

function createView(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A growing output buffer. Callers reserve space, write into `bytes` from `length` on, and increase `length`. */
export class ByteBuffer {
  bytes: Buffer;
  length = 0;
  #view: DataView;

  constructor(startBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(startBytes);
    this.#view = createView(this.bytes);
  }

  reserve(extraBytes: number): void {
    const needed = this.length + extraBytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.#view = createView(larger);
  }

  /** Appends one byte. The caller must have reserved its space. */
  push(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  append(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    this.reserve(size);
    const { bytes } = this;
    let at = this.length;
    // For a field of up to 96 bytes, a loop costs less than a native call.
    if (size > 96) bytes.set(source.subarray(start, end), at);
    else for (let from = start; from < end; from++) bytes[at++] = source[from] as number;
    this.length += size;
  }

  /** Inserts bytes at `at`. This is slow, because all bytes after them move. */
  insert(at: number, source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.copyWithin(at + source.length, at, this.length);
    this.bytes.set(source, at);
    this.length += source.length;
  }

  /** Appends words from `toAlignedBytes`. The next append overwrites the padding of the last word. */
  appendWords({ words, length }: AlignedBytes): void {
    this.reserve(words.length * bytesPerWord);
    const view = this.#view;
    let at = this.length;
    for (let word = 0; word < words.length; word++, at += bytesPerWord) view.setUint32(at, words[word] as number, true);
    this.length += length;
  }

  /** Appends text as UTF-8. This is slow, so code that runs per cell keeps its constants as bytes. */
  appendText(text: string): void {
    this.append(Buffer.from(text, "utf8"));
  }

  /** Returns the written bytes without a copy. They are valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
