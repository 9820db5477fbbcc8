import type { ProsePassage } from "./find-prose-faults.ts";
import { scanSource, type SourcePiece } from "./scan-source.ts";

export interface SourcePassages {
  readonly comments: readonly ProsePassage[];
  readonly titles: readonly ProsePassage[];
  /** Strings, templates and JSX texts that look like prose. Empty for a test. */
  readonly texts: readonly ProsePassage[];
}

const isTest = /\.(?:test|fixture)\.tsx?$|\/test\//;
const directivePattern = /^(?:oxlint|eslint|@ts-|@boundaries-ignore|v8 ignore|prettier|#region|#!)/;
const beforeTitlePattern = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*$/;
/** Matches text with two words in a row, each followed by a blank, comma or colon. Lists of codes and single words do not match. */
const prosePattern = /(?:[A-Za-z\u2019',-]*[a-z][ ,:]+){2}/;
const codePattern =
  /^\s*(?:insert into|delete from|update \w+ set|(?:create|alter|drop) (?:table|index|role|function|schema|extension)|grant \w+ on|with \w+ as|do \$)|\bselect\b[^.]* from\b|\b(?:SELECT|CREATE|INSERT INTO|WHERE)\b|\{\s+[\w-]+: |\$\(/;

export function extractSourcePassages(file: string, source: string): SourcePassages {
  const starts = lineStartsOf(source);
  const passage = ({ at }: SourcePiece, text: string): ProsePassage => ({ file, line: lineAt(starts, at), text });
  const pieces = scanSource(source);
  const texts = pieces.filter(
    ({ kind, text }) => kind === "text" && prosePattern.test(text) && !codePattern.test(text),
  );
  const titles = texts.filter(({ at }) => beforeTitlePattern.test(source.slice(Math.max(0, at - 40), at)));
  return {
    comments: blocksOf(source, pieces).map((piece) => passage(piece, piece.text)),
    titles: /\.test\.tsx?$/.test(file) ? titles.map((piece) => passage(piece, piece.text)) : [],
    texts: isTest.test(file)
      ? []
      : [...texts, ...jsxTexts(file, source, pieces)].flatMap(({ at, text }) =>
          text
            .split("\n")
            .flatMap((line, index) =>
              line.trim() === "" ? [] : [{ file, line: lineAt(starts, at) + index, text: line.trim() }],
            ),
        ),
  };
}

function blocksOf(source: string, pieces: readonly SourcePiece[]): SourcePiece[] {
  const blocks: SourcePiece[] = [];
  let lastEnd = 0;
  for (const { kind, at, end, text } of pieces) {
    if (kind !== "comment") continue;
    const prose = text
      .replace(/^\/\*+|\*\/$/g, "")
      .replaceAll(/^[ \t]*(?:\/\/|\*)[ \t]?/gm, "")
      .trim();
    const last = blocks.at(-1);
    if (last !== undefined && text.startsWith("//") && /^\s*$/.test(source.slice(lastEnd, at))) {
      blocks[blocks.length - 1] = { ...last, text: `${last.text} ${prose}` };
    } else if (!directivePattern.test(prose)) {
      blocks.push({ kind, at, end, text: prose.replaceAll(/`[^`\n]+`/g, "`x`") });
    }
    lastEnd = end;
  }
  return blocks;
}

function jsxTexts(file: string, source: string, pieces: readonly SourcePiece[]): SourcePiece[] {
  if (!file.endsWith(".tsx")) return [];
  const code = pieces.reduce((text, { at, end }) => text.slice(0, at) + "=".repeat(end - at) + text.slice(end), source);
  return [...code.matchAll(/(?<=[>}])[^<>{}=;]+(?=[<{])/g)]
    .filter(([text]) => prosePattern.test(text))
    .map(({ 0: text, index }) => ({ kind: "text", at: index, end: index, text: text.replaceAll(/\s+/g, " ") }));
}

function lineStartsOf(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(starts: readonly number[], at: number): number {
  return starts.findLastIndex((start) => start <= at) + 1;
}
