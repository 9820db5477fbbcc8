import { Buffer } from "node:buffer";

const lineHeight = 15;

const lineFeed = 0x0a;
/** First UTF-8 byte from which characters count as having double width, such as CJK. */
const minWideFirstByte = 0xe3;
/** Maximum lines of a row. Higher rows are hard to read, and Excel allows 409 points. */
const maxLines = 20;

/** Estimates the lines of text in a column `width` characters wide, because the fonts of spreadsheets are not available here. */
export function estimateLineCount(bytes: Uint8Array, start: number, end: number, width: number): number {
  let lines = 0;
  let taken = 0;
  for (let at = start; at < end && lines < maxLines; at++) {
    const byte = bytes[at] as number;
    if (byte === lineFeed) {
      lines += Math.max(1, Math.ceil(taken / width));
      taken = 0;
    } else if (byte < 0x80 || byte >= 0xc0) taken += byte >= minWideFirstByte ? 2 : 1;
  }
  return Math.min(maxLines, lines + Math.max(1, Math.ceil(taken / width)));
}

export function rowHeightAttributes(lines: number): Buffer {
  return Buffer.from(` ht="${lines * lineHeight}" customHeight="1"`);
}
