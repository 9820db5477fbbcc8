import { expect, it } from "vitest";
import { boldFaceIndex, fallbackFaceIndexes, getFont, regularFaceIndex } from "./font-files.ts";
import { subsetFont } from "./font-subset.ts";

const texts = ["Ag ÄéÅộ ffi", "שלום", "مرحبا", "สวัสดี", "नमस्ते", "🙂☂", "☑♜", "日本語", "한국어"];

it.each([regularFaceIndex, boldFaceIndex, ...fallbackFaceIndexes])(
  "the subset of the font face %s equals the subset that fontkit makes",
  (face) => {
    const font = getFont(face);
    const ids = texts.flatMap((text) => font.layout(text).glyphs.map(({ id }) => id)).filter((id) => id !== 0);
    const others = Array.from({ length: 40 }, (_, at) => Math.floor(((font.numGlyphs - 1) * at) / 39));
    const glyphIds = [...ids, ...others];
    const expected = font.createSubset();
    const numbers = glyphIds.map((id) => expected.includeGlyph(font.getGlyph(id)) as unknown as number);
    const { program, numberOf } = subsetFont(font, glyphIds);
    expect(glyphIds.map((id) => numberOf.get(id))).toEqual(numbers);
    expect(program.equals(expected.encode())).toBe(true);
  },
);
