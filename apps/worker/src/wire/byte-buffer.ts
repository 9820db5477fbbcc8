import { Buffer } from "node:buffer";

const wordBytes = 4;

/** Bytes as little-endian words, the last one filled up with zeros: a store takes four of them. */
export interface Words {
  readonly words: Uint32Array;
  /** In bytes. */
  readonly length: number;
}

/** Text that an encoder appends repeatedly. */
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

/** Growing output of an encoder. Callers reserve room, write into `bytes` at `length`, and move `length` on. */
export class ByteBuffer {
  bytes: Buffer;
  length = 0;
  #view: DataView;

  constructor(startBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(startBytes);
    this.#view = viewOf(this.bytes);
  }

  /** Makes room for at least so many more bytes. */
  reserve(extraBytes: number): void {
    const needed = this.length + extraBytes;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    this.#view = viewOf(larger);
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

  /** Puts bytes in front of what was written from there on. For rare things: all of that moves. */
  insert(at: number, source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.copyWithin(at + source.length, at, this.length);
    this.bytes.set(source, at);
    this.length += source.length;
  }

  /** Appends bytes that are the same again and again. What the last word holds too much is overwritten by what comes next. */
  appendWords({ words, length }: Words): void {
    this.reserve(words.length * wordBytes);
    const view = this.#view;
    let at = this.length;
    for (let word = 0; word < words.length; word++, at += wordBytes) view.setUint32(at, words[word] as number, true);
    this.length += length;
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
