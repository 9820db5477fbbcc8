import { freeMemory } from "../../wire/unshared-memory.ts";

/** A growing buffer for page content and objects that is fast for millions of small appends. */
export class ContentBuffer {
  bytes: Buffer;
  length = 0;

  constructor(expectedBytes = 4 * 1024) {
    this.bytes = Buffer.allocUnsafeSlow(expectedBytes);
  }

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    freeMemory(this.bytes);
    this.bytes = larger;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends text that has only Latin-1 characters. */
  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let { length } = this;
    for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at);
    this.length = length;
  }

  integer(value: number): void {
    this.reserve(16);
    const { bytes } = this;
    let rest = Math.round(value) | 0;
    let { length } = this;
    if (rest < 0) {
      bytes[length++] = 0x2d;
      rest = -rest;
    }
    let end = length + (rest < 10 ? 1 : rest < 100 ? 2 : rest < 1000 ? 3 : rest < 10_000 ? 4 : rest < 100_000 ? 5 : 10);
    bytes[end] = 0x20;
    this.length = end + 1;
    while (end > length) {
      bytes[--end] = 0x30 + (rest % 10);
      rest = (rest / 10) | 0;
    }
  }

  /** Frees the memory without waiting for garbage collection. Nothing may be written afterwards. */
  free(): void {
    freeMemory(this.bytes);
  }

  /** Returns the content and empties the buffer. The content is valid until the next append. */
  written(): Buffer {
    const content = this.bytes.subarray(0, this.length);
    this.length = 0;
    return content;
  }
}
