import { defaultBrandColour } from "@reports/runtime";
import { assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { computeContrastRatio } from "./contrast.ts";
import { createPalette } from "./palette.ts";

test("computeContrastRatio returns the contrast ratio of WCAG", () => {
  expect(computeContrastRatio("000000", "FFFFFF")).toBe(21);
  expect(computeContrastRatio("777777", "FFFFFF")).toBeCloseTo(4.48, 2);
  expect(computeContrastRatio("FF0000", "FF0000")).toBe(1);
});

const colours = integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).toUpperCase().padStart(6, "0"));

test("text and areas have the contrast of WCAG with every brand colour", () => {
  assert(
    property(colours, (brand) => {
      const { toneText, toneFill, series, ...palette } = createPalette(brand);
      expect(palette.brand).toBe(brand);
      expect(computeContrastRatio(palette.onBrand, brand)).toBeGreaterThanOrEqual(4.5);
      const texts = [palette.accent, palette.ink, palette.muted, palette.faint, ...Object.values(toneText)];
      for (const text of texts)
        for (const background of ["FFFFFF", palette.zebra, palette.headerFill])
          expect(computeContrastRatio(text, background)).toBeGreaterThanOrEqual(4.5);
      for (const area of [...Object.values(toneFill), ...series])
        expect(computeContrastRatio(area, "FFFFFF")).toBeGreaterThanOrEqual(3);
    }),
    { examples: ["000000", "FFFFFF", "FFD700", "00FF00", "0000FF", defaultBrandColour].map((colour) => [colour]) },
  );
});

test("the accent keeps a legible brand colour and darkens a light one of the same hue", () => {
  expect(createPalette("1F4E79")).toMatchObject({ brand: "1F4E79", accent: "1F4E79", onBrand: "FFFFFF" });
  const { accent, onBrand } = createPalette("FFD700");
  expect(onBrand).toBe("1C2633");
  // The accent keeps the hue of gold: the ratio of red to green is unchanged, and blue stays 0.
  expect(accent).toBe("867000");
});
