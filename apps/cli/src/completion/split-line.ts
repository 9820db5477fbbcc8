/** The finished words of a line up to the cursor, and the unfinished one. */
export interface SplitLine {
  readonly words: readonly string[];
  readonly current: string;
}

/** Splits as a POSIX shell does, without quotes and backslashes; a quote may still be open. Expands nothing. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let current: string | null = null;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote === "" && /\s/.test(character)) {
      if (current !== null) words.push(current);
      current = null;
    } else if (character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) {
      quote = character;
      current ??= "";
    } else if (character === "\\" && quote !== "'" && at + 1 < line.length) current = (current ?? "") + line[++at]!;
    else current = (current ?? "") + character;
  }
  return { words, current: current ?? "" };
}
