import type { Colour, PdfPalette } from "./pdf-palette.ts";
import type { TableColumn } from "./column-needs.ts";

export interface ValueStyle {
  readonly text: string;
  readonly isBold: boolean;
  /** Undefined for a value without a look. */
  readonly colour: Colour | undefined;
}

/** Looks by value; undefined for a column without titles or tones. */
export function valueStylesOf(
  { column: { kind, titles = {}, tones = {} }, format }: TableColumn,
  { toneText }: PdfPalette,
): ReadonlyMap<string, ValueStyle> | undefined {
  const values = Object.keys({ ...titles, ...tones });
  // In a list, only its elements have titles.
  if (kind === "list" || values.length === 0) return undefined;
  const toneOf = new Map(Object.entries(tones));
  return new Map(
    values.map((value) => {
      const tone = toneOf.get(value);
      const isBold = tone === "bad" || tone === "warn";
      return [value, { text: format(value), isBold, colour: tone === undefined ? undefined : toneText[tone] }];
    }),
  );
}
