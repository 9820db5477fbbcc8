import type { Tone } from "@reports/core/report";
import { computeContrastRatio, darkenUntilContrast, mixColours, type HexColour } from "./contrast.ts";

export interface Palette {
  readonly brand: HexColour;
  readonly onBrand: HexColour;
  readonly accent: HexColour;
  readonly ink: HexColour;
  readonly muted: HexColour;
  readonly faint: HexColour;
  readonly rule: HexColour;
  readonly zebra: HexColour;
  readonly headerFill: HexColour;
  readonly toneText: Readonly<Record<Tone, HexColour>>;
  /** Fill colours per tone. They also differ in lightness, so that readers of a black-and-white print see the difference. */
  readonly toneFill: Readonly<Record<Tone, HexColour>>;
  readonly series: readonly HexColour[];
}

export const white: HexColour = "FFFFFF";
const black: HexColour = "000000";
/** WCAG 2.2 requires this contrast for text (1.4.3), and `minAreaContrast` for areas that carry a meaning, such as bars (1.4.11). */
const minTextContrast = 4.5;
const minAreaContrast = 3;
/** Maximum contrast of chart bars to white. Bars as dark as text would dominate the page. */
const maxBarContrast = 7;

export function createPalette(brand: HexColour): Palette {
  const zebra = mixColours(brand, white, 0.04);
  const headerFill = mixColours(brand, white, 0.12);
  const text = (colour: HexColour): HexColour =>
    darkenUntilContrast(colour, minTextContrast, [white, zebra, headerFill]);
  const area = (colour: HexColour): HexColour => darkenUntilContrast(colour, minAreaContrast, [white]);
  const ink = text("1C2633");
  const accent = text(brand);
  const bars = lightenUntil(accent, maxBarContrast);
  return {
    brand,
    onBrand: [white, ink, black].find((colour) => computeContrastRatio(colour, brand) >= minTextContrast) ?? black,
    accent,
    ink,
    muted: text("56606C"),
    faint: text("6B7480"),
    rule: mixColours(brand, "D6DBE0", 0.06),
    zebra,
    headerFill,
    toneText: { good: text("1A6638"), warn: text("8F5A00"), bad: text("AD1A1A"), muted: text("5F6974"), neutral: ink },
    toneFill: { good: area("4E9E68"), warn: area("D18B12"), bad: area("B32626"), muted: area("8A939D"), neutral: bars },
    series: [bars, ...["2E7D32", "B26A00", "6A1B9A", "00838F", "AD1457"].map(area)],
  };
}

function lightenUntil(colour: HexColour, most: number): HexColour {
  let lighter = colour;
  for (let share = 0.98; computeContrastRatio(lighter, white) > most; share -= 0.02)
    lighter = mixColours(colour, white, share);
  return lighter;
}
