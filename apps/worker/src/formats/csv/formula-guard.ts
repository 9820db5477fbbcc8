const space = 0x20;
const quote = 0x22;
const apostrophe = 0x27;
const fullWidthFirstByte = 0xef;

/** Bytes that can begin a formula: at the start of a quoted cell, at the start of a bare cell, and after a separator within a cell. */
export const formulaStarts = {
  ofQuoted: createByteTable("=+-@\t\r\n"),
  // Excludes the line feed, which ends the row if the last cell is empty.
  ofBare: createByteTable("=+-@\t"),
  inside: createByteTable("=+-@"),
} as const;

/** 1 for bytes that separate cells or rows if a spreadsheet splits the file at `;` or TAB instead of commas. Quotes do not protect them then. */
export const isOtherSeparator = createByteTable(";\t\r\n");

/** How quotes appear in the bytes: once each, or doubled as inside a quoted cell. */
export type QuoteForm = "single" | "doubled";

/**
 * Reports whether a spreadsheet may read a formula at `start`: = + - @ or their full-width forms, after any spaces, apostrophes and quotes, which some imports
 * remove. Apostrophes count so that the guard can be undone: no two texts become the same cell.
 */
export function startsFormula(
  bytes: Uint8Array,
  start: number,
  end: number,
  first: Uint8Array,
  quotes: QuoteForm,
): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === space || byte === apostrophe) continue;
    if (byte !== quote)
      return first[byte] === 1 || (byte === fullWidthFirstByte && isFullWidthSign(bytes[at + 1], bytes[at + 2]));
    if (quotes === "single") continue;
    if (bytes[at + 1] !== quote) return false;
    at++;
  }
  return false;
}

/** Checks the second and third UTF-8 byte of U+FF1D, U+FF0B, U+FF0D and U+FF20, the full-width = + - @. */
function isFullWidthSign(second: number | undefined, third: number | undefined): boolean {
  return second === 0xbc && (third === 0x9d || third === 0x8b || third === 0x8d || third === 0xa0);
}

function createByteTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
