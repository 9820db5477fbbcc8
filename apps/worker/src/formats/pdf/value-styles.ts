import type { Colour, PdfPalette } from "./pdf-palette.ts";
import type { TableColumn } from "./column-needs.ts";

export interface ValueStyle {
  readonly text: string;
  readonly isBold: boolean;
  /** Colour of the value's tone; undefined for a value without a tone. */
  readonly colour: Colour | undefined;
}

/** Returns the styles of a column's values; undefined for a column without titles and tones. */
export function createValueStyles(
  { column: { kind, titles = {}, tones = {} }, format }: TableColumn,
  { toneText }: PdfPalette,
): ReadonlyMap<string, ValueStyle> | undefined {
  const values = Object.keys({ ...titles, ...tones });
  // In a list the elements have titles, not the list as a whole.
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
