import type { Colour, PdfPalette } from "./pdf-palette.ts";
import type { TableColumn } from "./column-needs.ts";

/** How a value is shown that its column's definition names. */
export interface ValueLook {
  readonly text: string;
  readonly isBold: boolean;
  /** Undefined for a value that is shown like any other. */
  readonly colour: Colour | undefined;
}

/** The looks of a column's values by the values, found at once for every cell; undefined for a column whose values have no titles or tones. */
export function looksOf(
  { column: { kind, titles = {}, tones = {} }, format }: TableColumn,
  { toneText }: PdfPalette,
): ReadonlyMap<string, ValueLook> | undefined {
  const values = Object.keys({ ...titles, ...tones });
  // What has titles in a list are its elements.
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
