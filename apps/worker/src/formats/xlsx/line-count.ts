const lineFeed = 0x0a;
/** First UTF-8 bytes of wide characters: CJK and beyond. */
const firstWide = 0xe3;
/** Higher rows are hard to read; Excel allows 409 points. */
const maxLines = 20;

/** Estimates the lines of text in a column `width` characters wide: the fonts of spreadsheets are not here. */
export function lineCount(bytes: Uint8Array, start: number, end: number, width: number): number {
  let lines = 0;
  let taken = 0;
  for (let at = start; at < end && lines < maxLines; at++) {
    const byte = bytes[at] as number;
    if (byte === lineFeed) {
      lines += Math.max(1, Math.ceil(taken / width));
      taken = 0;
    } else if (byte < 0x80 || byte >= 0xc0) taken += byte >= firstWide ? 2 : 1;
  }
  return Math.min(maxLines, lines + Math.max(1, Math.ceil(taken / width)));
}
