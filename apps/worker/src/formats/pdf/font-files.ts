import { fileURLToPath } from "node:url";
import { HostFailureError } from "@reports/core/base";
import { openSync } from "fontkit";
import type { Font, GlyphRun } from "fontkit";

/** Font files by face number: regular, bold, then fallbacks in order of preference. Bold text tries the last two before the other fallbacks. */
const fontFiles = [
  "noto-sans/400Regular/NotoSans_400Regular.ttf",
  "noto-sans/600SemiBold/NotoSans_600SemiBold.ttf",
  "noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf",
  "noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf",
  "noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf",
  "noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf",
  "noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
  "noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf",
  "noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  "noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf",
  "noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf",
  "noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf",
] as const;

export const regularFaceIndex = 0;
export const boldFaceIndex = 1;
const boldOnlyFallbacks: readonly number[] = [10, 11];
export const fallbackFaceIndexes: readonly number[] = fontFiles
  .map((_, face) => face)
  .slice(2, -boldOnlyFallbacks.length);
export const boldFallbackFaceIndexes: readonly number[] = [...boldOnlyFallbacks, ...fallbackFaceIndexes];

const openedFonts = new Map<number, Font>();

/** Returns the font of a face. Throws HostFailureError if its file is missing or unreadable. */
export function getFont(face: number): Font {
  let font = openedFonts.get(face);
  if (font === undefined) {
    font = openFont(`@expo-google-fonts/${fontFiles[face]}`);
    openedFonts.set(face, font);
  }
  return font;
}

function openFont(file: string): Font {
  try {
    return openSync(fileURLToPath(import.meta.resolve(file))) as Font;
  } catch (error) {
    throw new HostFailureError("renderers", `The font ${file} cannot be read on this host.`, error);
  }
}

/** A glyph of a run of text, in drawing order. Lengths are in units of the font. */
export interface LaidOutGlyph {
  readonly id: number;
  readonly text: string;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

const cachedRuns = new Map<string, readonly LaidOutGlyph[]>();
const maxCachedRuns = 4_000;

export function layOutCachedRun(face: number, text: string, direction: "ltr" | "rtl"): readonly LaidOutGlyph[] {
  const key = `${face} ${direction} ${text}`;
  let glyphs = cachedRuns.get(key);
  if (glyphs === undefined) {
    glyphs = layOutRun(getFont(face), text, direction);
    if (cachedRuns.size >= maxCachedRuns) cachedRuns.clear();
    cachedRuns.set(key, glyphs);
  }
  return glyphs;
}

/** Lays out a run. Empties fontkit's glyph cache first, because fontkit keeps each glyph's first text, so the result would depend on earlier runs. */
function layOutRun(font: Font, text: string, direction: "ltr" | "rtl"): LaidOutGlyph[] {
  (font as unknown as { _glyphs: object })._glyphs = {};
  const run = shapeRun(font, text, direction);
  return run.glyphs.map(({ id, codePoints }, at) => {
    const { xAdvance, xOffset, yOffset } = run.positions[at]!;
    return { id, text: String.fromCodePoint(...codePoints), xAdvance, xOffset, yOffset };
  });
}

/** Works around foliojs/fontkit#367: fontkit throws if a font has no anchor for a mark. Marks then keep their default positions. */
function shapeRun(font: Font, text: string, direction: "ltr" | "rtl"): GlyphRun {
  const layOutWith = (features?: Record<string, boolean>): GlyphRun =>
    font.layout(text, features, undefined, undefined, direction);
  try {
    return layOutWith();
  } catch {
    return layOutWith({ mark: false, mkmk: false });
  }
}

const cachedAdvances = new Map<Font, Map<number, number>>();

export function readGlyphAdvanceMilliEm(font: Font, glyphId: number): number {
  let known = cachedAdvances.get(font);
  if (known === undefined) cachedAdvances.set(font, (known = new Map<number, number>()));
  let advance = known.get(glyphId);
  if (advance === undefined) {
    advance = Math.round((font.getGlyph(glyphId).advanceWidth * 1000) / font.unitsPerEm);
    known.set(glyphId, advance);
  }
  return advance;
}
