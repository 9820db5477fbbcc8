export interface SplitCommandLine {
  readonly words: readonly string[];
  readonly current: string;
}

/** Splits a line as a POSIX shell does, and removes quotes and backslashes. The last quote may be open. Variables are not expanded. */
export function splitCommandLine(line: string): SplitCommandLine {
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
