import { Buffer } from "node:buffer";

const wordBytes = 4;

/** Bytes as little-endian words, zero-padded: one store takes four bytes. */
export interface Words {
  readonly words: Uint32Array;
  readonly length: number;
}

/** Prepares text that an encoder appends repeatedly. */
export function toWords(text: string): Words {
  const bytes = Buffer.from(text, "utf8");
  const words = new Uint32Array(Math.ceil(bytes.length / wordBytes));
  const view = new DataView(words.buffer);
  for (const [at, byte] of bytes.entries()) view.setUint8(at, byte);
  return { words: words.map((_, word) => view.getUint32(word * wordBytes, true)), length: bytes.length };
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Growing output of an encoder. Callers reserve room, write into `bytes` at `length`, and increase `length`. */
export class ByteBuffer {
  bytes: Buffer;
  length = 0;
  #view: DataView;

  constructor(startBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(startBytes);
    this.#view = viewOf(this.bytes);
  }

  reserve(extraBytes: number): void {
    const needed = this.length + extraBytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.#view = viewOf(larger);
  }

  /** Appends one byte, whose room must be reserved. */
  push(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  append(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    this.reserve(size);
    const { bytes } = this;
    let at = this.length;
    // A native call costs more than copying a short field.
    if (size > 96) bytes.set(source.subarray(start, end), at);
    else for (let from = start; from < end; from++) bytes[at++] = source[from] as number;
    this.length += size;
  }

  /** Inserts bytes at `at`. Expensive: everything after them moves. */
  insert(at: number, source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.copyWithin(at + source.length, at, this.length);
    this.bytes.set(source, at);
    this.length += source.length;
  }

  /** Appends repeated bytes. The last word's padding is overwritten by the next append. */
  appendWords({ words, length }: Words): void {
    this.reserve(words.length * wordBytes);
    const view = this.#view;
    let at = this.length;
    for (let word = 0; word < words.length; word++, at += wordBytes) view.setUint32(at, words[word] as number, true);
    this.length += length;
  }

  /** Appends UTF-8 text. Slow; hot paths keep constants as bytes. */
  appendText(text: string): void {
    this.append(Buffer.from(text, "utf8"));
  }

  /** Returns what was written, valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
