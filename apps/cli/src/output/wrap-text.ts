import { measureWidthCells, sliceFittingStart } from "./measure-width-cells.ts";

/** Wraps a text after spaces and commas, into lines of this many cells. Breaks longer words, unless `keepsWords` is set. */
export function wrapText(text: string, cells: number, keepsWords = false): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=[ ,])/)) {
    if (measureWidthCells((line + word).trimEnd()) <= cells) {
      line += word;
      continue;
    }
    if (line !== "") lines.push(line.trimEnd());
    const parts = keepsWords ? [word] : breakWord(word, cells);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1)!;
  }
  return [...lines, line.trimEnd()];
}

function breakWord(word: string, cells: number): readonly string[] {
  const parts: string[] = [];
  let left = word;
  while (measureWidthCells(left.trimEnd()) > cells) {
    const start = sliceFittingStart(left, cells);
    const part = /^.*[_/|.:;-]/.exec(start)?.[0] ?? start;
    parts.push(part);
    left = left.slice(part.length);
  }
  return [...parts, left];
}
