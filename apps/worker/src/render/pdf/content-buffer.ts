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
    for (let at = 0; at < text.length; at++) this.bytes[this.length++] = text.charCodeAt(at);
  }

  /** Appends a whole number and a space. */
  integer(value: number): void {
    this.reserve(16);
    const { bytes } = this;
    let rest = Math.round(value);
    if (rest < 0) {
      bytes[this.length++] = 0x2d;
      rest = -rest;
    }
    let digits = 1;
    for (let limit = 10; rest >= limit; limit *= 10) digits++;
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      bytes[at] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.length += digits;
    bytes[this.length++] = 0x20;
  }

  /** Gives a copy of what was written and starts anew. */
  take(): Buffer {
    const content = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(content, 0, 0, this.length);
    this.length = 0;
    return content;
  }
}
