/** A growing run of bytes in which page content is written. Written for millions of small appends; everything but strings of glyphs is ASCII. */
export class ContentBuffer {
  bytes: Buffer = Buffer.allocUnsafe(64 * 1024);
  length = 0;

  /** Makes room for `count` more bytes, so that the caller may set them directly. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let { length } = this;
    for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at);
    this.length = length;
  }

  /** Appends a whole number within 32 bits and a space. */
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

  /** What was written, valid until the next append; the buffer is reset. */
  written(): Buffer {
    const content = this.bytes.subarray(0, this.length);
    this.length = 0;
    return content;
  }
}
