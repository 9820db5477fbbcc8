const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Scripts and forms that take two cells of a terminal, and pictures. An approximation of Unicode UAX #11. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/** How many cells of a terminal a line takes. */
export function displayWidth(line: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(line)) width += widthOf(segment);
  return width;
}

/** The line, cut to so many cells, the last of which is … where something was cut off. */
export function cutToWidth(line: string, cells: number): string {
  return displayWidth(line) <= cells ? line : `${line.slice(0, fitting(line, cells - 1))}…`;
}

/** The beginning of the line that fits into so many cells, one character at least. */
export function startOfWidth(line: string, cells: number): string {
  const { segment } = graphemes.segment(line).containing(0)!;
  return line.slice(0, Math.max(segment.length, fitting(line, cells)));
}

/** Length of the beginning of the line that fits into so many cells. */
function fitting(line: string, cells: number): number {
  let width = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    width += widthOf(segment);
    if (width > cells) return index;
  }
  return line.length;
}

function widthOf(grapheme: string): number {
  return wide.test(grapheme) ? 2 : 1;
}
