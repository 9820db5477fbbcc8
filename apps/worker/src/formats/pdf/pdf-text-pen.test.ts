import { describe, expect, test } from "vitest";
import { FontSet } from "./font-set.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";
import { shapeLine } from "./shape-line.ts";

const samples = [
  "edge-fra-0001.example.com",
  "Größe Ελληνικά Кириллица",
  "平台团队 例え 한국어",
  "שלום עולם abc",
  "مرحبا بالعالم",
  "दल नेटवर्क",
  "ทีมเครือข่าย",
  "Ops 🚀👩‍💻 crew",
  "e\u0301 decomposed",
  "tab\tline\nend\u0000",
  "lone \ud800 surrogate",
  "\u061c-١٬٢٣٤٫٥٪\u061c",
];

describe("Pen", () => {
  test.each(samples)("the text %j is as wide as it was measured", (text) => {
    const pen = new PdfTextPen(new FontSet());
    expect(pen.show(text, false, 80)).toBe(pen.measure(text, false));
    expect(pen.measure(text, false)).toBeGreaterThan(0);
  });

  test.each(samples)("the text %j is cut to its column, and the cut is counted", (text) => {
    const pen = new PdfTextPen(new FontSet());
    const whole = pen.measure(text, true);
    for (const share of [0.05, 0.3, 0.5, 0.8, 0.99]) {
      const before = pen.clippedCount;
      expect(pen.show(text, true, 80, whole * share)).toBeLessThanOrEqual(whole * share);
      expect(pen.clippedCount).toBe(before + 1);
    }
    expect(pen.show(text, true, 80, whole)).toBe(whole);
  });

  test("a character that no font has is drawn as an empty box", () => {
    const pen = new PdfTextPen(new FontSet());
    expect(pen.measure("\u{10ffff}", false)).toBeGreaterThan(0);
    expect(pen.measure("\ue000", false)).toBeGreaterThan(0);
  });

  test("bold Hebrew and Arabic are bold, and other scripts use their regular face", () => {
    const fonts = new FontSet();
    const nameOf = (character: string, bold: boolean): string =>
      fonts.face(fonts.faceFor(character.codePointAt(0)!, bold)!).font.postscriptName;
    for (const character of ["ש", "م", "٣"]) {
      expect(nameOf(character, true)).toMatch(/-SemiBold$/);
      expect(nameOf(character, false)).toMatch(/-Regular$/);
    }
    expect(nameOf("ท", true)).toBe(nameOf("ท", false));
  });

  test("a UTC offset in Hebrew text keeps its sign in front, left of the time", () => {
    const fonts = new FontSet();
    const cids = (text: string): number[] =>
      shapeLine(fonts, text, false, Infinity).glyphs.map(({ face, cid }) => face * 0x10000 + cid);
    expect(cids("15 באוג׳ 2026, 21:11:52 \u2066+03\u2069").slice(0, 3)).toEqual(cids("+03"));
  });

  test("no string of a pdf needs an escape, however many characters are used", () => {
    const pen = new PdfTextPen(new FontSet());
    const text = Array.from({ length: 1900 }, (_, at) => String.fromCharCode(0x4e00 + at)).join("");
    pen.show(text, false, 80);
    const strings = pen.written().toString("latin1").split("(").slice(1);
    expect(strings).toHaveLength(1);
    const [shown, end] = strings[0]!.split(")Tj ");
    expect(shown).toHaveLength(3800);
    expect(shown).not.toMatch(/[()\\\r]/);
    expect(end).toBe("");
  });
});

test.each(["\u06a2", "\u0760", "\u0628\u0615", "\u0600\u064b", "\u0628\u06d6 1"])(
  "a combining mark without an anchor in the font keeps its default position: %j",
  (text) => {
    const pen = new PdfTextPen(new FontSet());
    for (const bold of [false, true]) expect(pen.measure(text, bold)).toBeGreaterThan(0);
  },
);
