import { createValueToneSelector } from "@reports/core/report";
import type { PdfColour, PdfPalette } from "./pdf-palette.ts";
import type { TableColumn } from "./column-width-estimate.ts";

export interface ValueStyle {
  readonly text?: string;
  readonly isBold: boolean;
  readonly colour: PdfColour | undefined;
}

export interface ValueStyleLookup {
  get(value: string): ValueStyle | undefined;
}

export function createValueStyleLookup(
  { column, format, currencyField }: TableColumn,
  { toneText }: PdfPalette,
): ValueStyleLookup | undefined {
  const { kind, titles = {}, tones = {}, tonesByNumber } = column;
  const toneOf = createValueToneSelector(column);
  const styleOf = (value: string): ValueStyle => {
    const tone = toneOf(value);
    const isBold = tone === "bad" || tone === "warn";
    const text = currencyField < 0 ? { text: format(value) } : {};
    return { ...text, isBold, colour: tone === undefined ? undefined : toneText[tone] };
  };
  if (tonesByNumber !== undefined) return { get: styleOf };
  const values = Object.keys({ ...titles, ...tones });
  // In a list column, titles belong to single elements, so the list as a whole has no style.
  if (kind === "list" || values.length === 0) return undefined;
  return new Map(values.map((value) => [value, styleOf(value)]));
}
