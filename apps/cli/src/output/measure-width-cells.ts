let graphemeSegmenter: Intl.Segmenter | undefined;

/** Matches characters that are two cells wide on a terminal, approximately as in Unicode UAX #11. */
const wideCharacterPattern =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

export function measureWidthCells(line: string): number {
  let width = 0;
  for (const { segment } of segmentGraphemes(line)) width += graphemeWidth(segment);
  return width;
}

export function truncateToWidth(line: string, cells: number): string {
  return measureWidthCells(line) <= cells ? line : `${line.slice(0, fittingLength(line, cells - 1))}…`;
}

/** Returns the longest start of a line that fits into this many cells, but at least one character. */
export function sliceFittingStart(line: string, cells: number): string {
  const { segment } = segmentGraphemes(line).containing(0)!;
  return line.slice(0, Math.max(segment.length, fittingLength(line, cells)));
}

function fittingLength(line: string, cells: number): number {
  let width = 0;
  for (const { segment, index } of segmentGraphemes(line)) {
    width += graphemeWidth(segment);
    if (width > cells) return index;
  }
  return line.length;
}

/** Makes the segmenter at its first use, because it is slow to make and most commands do not need it. */
function segmentGraphemes(line: string): Intl.Segments {
  return (graphemeSegmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })).segment(line);
}

function graphemeWidth(grapheme: string): number {
  return wideCharacterPattern.test(grapheme) ? 2 : 1;
}
