import { compressBytes, type ContentCoding } from "./content-coding.ts";

/** A text that never changes. All responses that contain it share its bytes in memory. */
export interface StaticText {
  readonly bytes: Buffer;
  /** Returns the compressed text. The text is compressed at the first call for a coding, and its bytes are reused. */
  encoded(coding: ContentCoding): Promise<Buffer>;
}

export function createStaticText(text: string): StaticText {
  const bytes = Buffer.from(text);
  const made = new Map<ContentCoding, Promise<Buffer>>();
  return {
    bytes,
    async encoded(coding) {
      const known = made.get(coding) ?? compressBytes(bytes, coding);
      made.set(coding, known);
      return known;
    },
  };
}
