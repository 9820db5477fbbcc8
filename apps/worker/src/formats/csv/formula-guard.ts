const space = 0x20;
const quote = 0x22;
const apostrophe = 0x27;
const full = 0xef;

/** Bytes that make a text live when it begins with them: at the start of a quoted cell, of a bare one, and behind a separator within. */
export const liveFirst = {
  ofQuoted: tableOf("=+-@\t\r\n"),
  // The line feed behind an empty cell ends its row.
  ofBare: tableOf("=+-@\t"),
  inside: tableOf("=+-@"),
} as const;

/** 1 for what separates cells or rows where a spreadsheet was told that `;` or TAB separates them: then quotes within a line mean nothing. */
export const separatesElsewhere = tableOf(";\t\r\n");

/** How quotes stand in the bytes that are looked at: as themselves, or each of them doubled, and a single one ends the text. */
export type QuoteForm = "single" | "doubled";

/**
 * Whether a spreadsheet may take what begins here for a formula: one of = + - @ or its full-width form, behind any spaces, apostrophes and
 * quotes. Spaces are trimmed by some imports, and quotes end at once what they seem to begin. Apostrophes count so that one more can be
 * taken away again by whoever reads the file: no two texts give the same cell.
 */
export function isLive(bytes: Uint8Array, start: number, end: number, first: Uint8Array, quotes: QuoteForm): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === space || byte === apostrophe) continue;
    if (byte !== quote) return first[byte] === 1 || (byte === full && isFullWidthSign(bytes[at + 1], bytes[at + 2]));
    if (quotes === "single") continue;
    if (bytes[at + 1] !== quote) return false;
    at++;
  }
  return false;
}

/** U+FF1D, U+FF0B, U+FF0D and U+FF20 as UTF-8, after their first byte. */
function isFullWidthSign(second: number | undefined, third: number | undefined): boolean {
  return second === 0xbc && (third === 0x9d || third === 0x8b || third === 0x8d || third === 0xa0);
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
