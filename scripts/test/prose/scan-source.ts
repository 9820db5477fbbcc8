export interface SourcePiece {
  readonly kind: "comment" | "text";
  /** Offset of the first character in the source. `end` is the offset after the last character. */
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const tokenPattern =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[`{}/"']|[^\s"'`{}/]+|\s+/gy;
const templateChunkPattern = /(?:\\[^]|\$(?!\{)|[^`\\$])*/y;

/** Matches the code in front of a slash that begins a regular expression. Any other slash is a division or part of a JSX tag. */
const beforeRegExpPattern = /(?:^|[(,=:[!&|?{};+~]|=>|\b(?:return|typeof|case|in|of))$/;

/** Returns the comments and texts of a TypeScript source in order. In a template, each `${…}` becomes `x`. */
export function scanSource(source: string): SourcePiece[] {
  const pieces: SourcePiece[] = [];

  /** Reads code from an offset. Ends at the end of the source, or if `isNested`, at the brace that closes the `${` of a template. */
  function readCode(from: number, isNested: boolean): number {
    let at = from;
    let depth = 0;
    let last = "";
    while (at < source.length) {
      tokenPattern.lastIndex = at;
      let [found] = tokenPattern.exec(source)!;
      if (/^\/[^/*]/.test(found) && !beforeRegExpPattern.test(last)) found = "/";
      const next = at + found.length;
      if (/^\/[/*]/.test(found)) pieces.push({ kind: "comment", at, end: next, text: found });
      else if (/^["'].+["']$/s.test(found))
        pieces.push({ kind: "text", at, end: next, text: unescaped(found.slice(1, -1)) });
      if (found === "`") {
        at = readTemplate(next);
        last = found;
        continue;
      }
      if (found === "{") depth++;
      if (found === "}" && depth-- === 0 && isNested) return next;
      if (!/^\s|^\/[/*]/.test(found)) last = found;
      at = next;
    }
    return at;
  }

  function readTemplate(from: number): number {
    const isTagged = /[\w$>)]$/.test(source.slice(Math.max(0, from - 20), from - 1));
    let text = "";
    let at = from;
    for (;;) {
      templateChunkPattern.lastIndex = at;
      const [found] = templateChunkPattern.exec(source)!;
      text += found;
      at += found.length;
      if (!source.startsWith("${", at)) break;
      at = readCode(at + 2, true);
      text += "x";
    }
    if (!isTagged) pieces.push({ kind: "text", at: from - 1, end: at + 1, text: unescaped(text) });
    return at + 1;
  }

  readCode(0, false);
  return pieces.toSorted((a, b) => a.at - b.at);
}

function unescaped(text: string): string {
  return text
    .replaceAll(/\\\n/g, " ")
    .replaceAll("\\n", "\n")
    .replaceAll(/\\[rt]/g, " ")
    .replaceAll(/\\(.)/g, "$1");
}
