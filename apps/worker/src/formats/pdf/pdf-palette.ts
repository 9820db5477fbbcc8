import type { Tone } from "@reports/core/report";
import { white, type Palette } from "../../brand/palette.ts";

/** A colour as operands of the PDF operators `rg` and `RG`. */
export type Colour = string;

export type PdfPalette = {
  readonly [Name in "brand" | "accent" | "ink" | "muted" | "faint" | "rule" | "zebra" | "headerFill" | "white"]: Colour;
} & {
  readonly toneText: Readonly<Record<Tone, Colour>>;
  readonly toneFill: Readonly<Record<Tone, Colour>>;
  /** Colour of the hatching of warning areas. `edge` is the outline of muted areas. */
  readonly hatch: Colour;
  readonly edge: Colour;
};

export function pdfPalette(palette: Palette): PdfPalette {
  const { brand, accent, ink, muted, faint, rule, zebra, headerFill, toneText, toneFill } = palette;
  return {
    brand: operands(brand),
    accent: operands(accent),
    ink: operands(ink),
    muted: operands(muted),
    faint: operands(faint),
    rule: operands(rule),
    zebra: operands(zebra),
    headerFill: operands(headerFill),
    white: operands(white),
    toneText: everyTone(toneText),
    toneFill: everyTone(toneFill),
    hatch: operands(toneText.warn),
    edge: operands(toneText.muted),
  };
}

function everyTone(colours: Palette["toneText"]): Readonly<Record<Tone, Colour>> {
  const tones = Object.entries(colours).map(([tone, colour]) => [tone, operands(colour)]);
  return Object.fromEntries(tones) as Record<Tone, Colour>;
}

/** Converts a hexadecimal colour to operands: `1F4E79` → `0.122 0.306 0.475`. */
function operands(colour: string): Colour {
  const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return parts.map((part) => String(Math.round(part * 1000) / 1000)).join(" ");
}
