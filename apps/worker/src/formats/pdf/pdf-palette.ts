import type { Tone } from "@reports/core/report";
import { white, type Palette } from "../../brand/palette.ts";

/** A colour as operands of the PDF operators `rg` and `RG`. */
export type PdfColour = string;

export type PdfPalette = {
  readonly [
    Name in "brand" | "accent" | "ink" | "muted" | "faint" | "rule" | "zebra" | "headerFill" | "white"
  ]: PdfColour;
} & {
  readonly toneText: Readonly<Record<Tone, PdfColour>>;
  readonly toneFill: Readonly<Record<Tone, PdfColour>>;
  readonly hatch: PdfColour;
  readonly edge: PdfColour;
};

export function toPdfPalette(palette: Palette): PdfPalette {
  const { brand, accent, ink, muted, faint, rule, zebra, headerFill, toneText, toneFill } = palette;
  return {
    brand: toOperands(brand),
    accent: toOperands(accent),
    ink: toOperands(ink),
    muted: toOperands(muted),
    faint: toOperands(faint),
    rule: toOperands(rule),
    zebra: toOperands(zebra),
    headerFill: toOperands(headerFill),
    white: toOperands(white),
    toneText: toToneOperands(toneText),
    toneFill: toToneOperands(toneFill),
    hatch: toOperands(toneText.warn),
    edge: toOperands(toneText.muted),
  };
}

function toToneOperands(colours: Palette["toneText"]): Readonly<Record<Tone, PdfColour>> {
  const tones = Object.entries(colours).map(([tone, colour]) => [tone, toOperands(colour)]);
  return Object.fromEntries(tones) as Record<Tone, PdfColour>;
}

/** Converts a hexadecimal colour to operands: `1F4E79` → `0.122 0.306 0.475`. */
function toOperands(colour: string): PdfColour {
  const parts = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return parts.map((part) => String(Math.round(part * 1000) / 1000)).join(" ");
}
