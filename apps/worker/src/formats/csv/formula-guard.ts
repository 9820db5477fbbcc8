const space = 0x20;
const quote = 0x22;
const apostrophe = 0x27;
const fullWidthFirstByte = 0xef;

/** Bytes that can begin a formula: at the start of a quoted cell, of an unquoted cell, and after a separator within a cell. */
export const formulaStartByteTables = {
  ofQuoted: createByteTable("=+-@\t\r\n"),
  // Excludes CR and LF: COPY quotes a cell that contains them, so an unquoted LF ends the row.
  ofBare: createByteTable("=+-@\t"),
  inside: createByteTable("=+-@"),
} as const;

/** Holds 1 for each byte at which a spreadsheet splits cells or rows if its separator is `;` or TAB. Quotes then don't prevent the split. */
export const nonCommaSeparatorTable = createByteTable(";\t\r\n");

/** How the bytes contain a quote: once, or twice as within a quoted csv cell. */
export type QuoteEscaping = "single" | "doubled";

/**
 * Reports whether a spreadsheet may read a formula at `start`. Some imports remove spaces, apostrophes and quotes before = + - @ and their full-width
 * forms, so this function skips them. A text that already has an apostrophe before the sign is guarded too. So no two texts become the same cell, and
 * programs can remove the guard.
 */
export function startsFormula(
  bytes: Uint8Array,
  start: number,
  end: number,
  first: Uint8Array,
  quotes: QuoteEscaping,
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

/** Checks the two bytes after 0xEF for the full-width = + - @ (U+FF1D, U+FF0B, U+FF0D, U+FF20) in UTF-8. */
function isFullWidthSign(second: number | undefined, third: number | undefined): boolean {
  return second === 0xbc && (third === 0x9d || third === 0x8b || third === 0x8d || third === 0xa0);
}

function createByteTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
