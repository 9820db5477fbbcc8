import bidiFactory from "bidi-js";
import type { Bidi } from "bidi-js";
import { findTextDirection, isolateNames, type TextDirection } from "../text-direction.ts";
import { layOutCachedRun } from "./font-files.ts";
import type { FontSet } from "./font-set.ts";
import { needsShaping, toVisibleCodePoint } from "./font-set.ts";
import type { ShapedText, ShapedGlyph } from "./shaped-text.ts";

/** The package's types declare a default export, but Node returns the factory itself. */
const bidiAlgorithm = (bidiFactory as unknown as () => Bidi)();
const maxShapedWords = 20_000;
const graphemeSegmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

export interface ShapedLine extends ShapedText {
  readonly clipped: boolean;
}

interface Run {
  readonly level: number;
  readonly face: number | undefined;
  text: string;
}

interface LineStyle {
  readonly bold: boolean;
  readonly direction: TextDirection;
}

/** Lays out one line: in visual order (UAX 9), then with the tables of the font. A line wider than `maxWidth` loses its end and gets an ellipsis. */
export function shapeLine(fonts: FontSet, text: string, bold: boolean, maxWidth: number): ShapedLine {
  const clean = Array.from(text.toWellFormed().normalize("NFC"), (character) =>
    String.fromCodePoint(toVisibleCodePoint(character.codePointAt(0)!)),
  ).join("");
  // Only this many characters can fit, because nearly all are wider than 0.1 em. Shaping the others would be expensive.
  const most = Math.min(clean.length, Math.ceil(maxWidth / 100));
  const style = { bold, direction: findTextDirection(clean) };
  const whole = shapeText(fonts, clean.slice(0, most), style);
  if (most === clean.length && whole.width <= maxWidth) return { ...whole, clipped: false };
  const starts = [...graphemeSegmenter.segment(clean.slice(0, most))].map((segment) => segment.index);
  let fits = 0;
  let tooLong = starts.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (shapeText(fonts, `${clean.slice(0, starts[middle])}…`, style).width <= maxWidth) fits = middle;
    else tooLong = middle;
  }
  const rest = shapeText(fonts, `${clean.slice(0, starts[fits])}…`, style);
  return { ...(rest.width <= maxWidth ? rest : { glyphs: [], width: 0 }), clipped: true };
}

function shapeText(fonts: FontSet, text: string, style: LineStyle): ShapedText {
  const glyphs: ShapedGlyph[] = [];
  let width = 0;
  for (const run of toVisualOrder(splitIntoRuns(fonts, text, style))) {
    const words = run.text.match(/ |[^ ]+/g) ?? [];
    if (run.level % 2 === 1) words.reverse();
    for (const word of words) {
      const shaped = shapeWord(fonts, word, run);
      glyphs.push(...shaped.glyphs);
      width += shaped.width;
    }
  }
  return { glyphs, width };
}

/** Shapes each word once per document, because reports repeat their words. Scripts do not join letters across spaces. */
function shapeWord(fonts: FontSet, word: string, { face, level }: Run): ShapedText {
  const rightToLeft = level % 2 === 1;
  if (face === undefined) {
    const { number, glyphId } = fonts.substitute();
    return placeCharacters(fonts, word, number, () => glyphId);
  }
  const { font } = fonts.face(face);
  if (!rightToLeft && needsNoShaping(word)) {
    return placeCharacters(fonts, word, face, (codePoint) => font.glyphForCodePoint(codePoint).id);
  }
  const key = `${face} ${rightToLeft} ${word}`;
  let shaped = fonts.shapedWords.get(key);
  if (shaped === undefined) {
    shaped = layOutWord(fonts, word, face, rightToLeft);
    if (fonts.shapedWords.size >= maxShapedWords) fonts.shapedWords.clear();
    fonts.shapedWords.set(key, shaped);
  }
  return shaped;
}

function layOutWord(fonts: FontSet, word: string, number: number, rightToLeft: boolean): ShapedText {
  const face = fonts.face(number);
  const scale = 1000 / face.font.unitsPerEm;
  const glyphs = layOutCachedRun(number, word, rightToLeft ? "rtl" : "ltr").map((glyph): ShapedGlyph => {
    if (glyph.id === 0) return createEmptyBoxGlyph(fonts, glyph.text);
    const { cid, advance } = face.use(glyph.id, glyph.text);
    return {
      face: number,
      cid,
      advance,
      xAdvance: Math.round(glyph.xAdvance * scale),
      xOffset: Math.round(glyph.xOffset * scale),
      yOffset: Math.round(glyph.yOffset * scale),
      ...(glyph.text === "" ? { isExtra: true as const } : {}),
    };
  });
  return { glyphs, width: glyphs.reduce((width, glyph) => width + glyph.xAdvance, 0) };
}

function createEmptyBoxGlyph(fonts: FontSet, text: string): ShapedGlyph {
  const { number, glyphId } = fonts.substitute();
  const { cid, advance } = fonts.face(number).use(glyphId, text);
  return { face: number, cid, advance, xAdvance: advance, xOffset: 0, yOffset: 0 };
}

/** Places one glyph per character, without shaping. A character that no font has is drawn as an empty box, and can still be copied from the document. */
function placeCharacters(
  fonts: FontSet,
  word: string,
  face: number,
  glyphOf: (codePoint: number) => number,
): ShapedText {
  const glyphs = Array.from(word, (character): ShapedGlyph => {
    const { cid, advance } = fonts.face(face).use(glyphOf(character.codePointAt(0)!), character);
    return { face, cid, advance, xAdvance: advance, xOffset: 0, yOffset: 0 };
  });
  return { glyphs, width: glyphs.reduce((width, glyph) => width + glyph.advance, 0) };
}

function needsNoShaping(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (needsShaping(word.charCodeAt(at))) return false;
  return true;
}

/** Splits a line where direction or face changes. Marks, joiners and selectors stay with the character before them. */
function splitIntoRuns(fonts: FontSet, given: string, { bold, direction }: LineStyle): Run[] {
  const text = isolateNames(given);
  const embedding = bidiAlgorithm.getEmbeddingLevels(text, direction);
  const mirrored = bidiAlgorithm.getMirroredCharactersMap(text, embedding.levels);
  const runs: Run[] = [];
  let at = 0;
  for (const original of text) {
    const character = mirrored.get(at) ?? original;
    const level = embedding.levels[at] ?? 0;
    at += original.length;
    const codePoint = character.codePointAt(0)!;
    if (isIgnorableCharacter(codePoint)) continue;
    const last = runs.at(-1);
    const joins = last !== undefined && (codePoint === 0x200d || /^\p{M}$/u.test(character));
    const face = joins ? last.face : choosePreferredFace(fonts, codePoint, level, bold, last);
    if (last !== undefined && last.level === level && last.face === face) last.text += character;
    else runs.push({ level, face, text: character });
  }
  return runs;
}

/**
 * Returns the font face of a character. A space between right-to-left words keeps their face, so that the words and the space are shaped together.
 */
function choosePreferredFace(
  fonts: FontSet,
  codePoint: number,
  level: number,
  bold: boolean,
  last: Run | undefined,
): number | undefined {
  if (codePoint === 0x20 && last !== undefined && level % 2 === 1 && last.level === level) return last.face;
  return fonts.faceFor(codePoint, bold);
}

function isIgnorableCharacter(codePoint: number): boolean {
  return (
    codePoint === 0x061c ||
    codePoint === 0x200b ||
    codePoint === 0x200c ||
    codePoint === 0x200e ||
    codePoint === 0x200f ||
    codePoint === 0xfeff ||
    (codePoint >= 0x202a && codePoint <= 0x202e) ||
    (codePoint >= 0x2060 && codePoint <= 0x206f) ||
    (codePoint >= 0xfe00 && codePoint <= 0xfe0f)
  );
}

/** Returns the runs in visual order by UAX 9 rule L2: from the highest level down, it reverses every sequence of runs at that level or above. */
function toVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map((run) => run.level));
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}
