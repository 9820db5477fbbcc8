import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendUnquoted } from "../../wire/scan-fields.ts";
import { createListScanner } from "../../wire/scan-list.ts";

const quote = 0x22;
const comma = 0x2c;
const apostrophe = 0x27;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const listSeparator = new Uint8Array([0x3b, 0x20]);

/** Makes the function that appends a list field of the wire form, with the quotes around it, as one cell: its elements joined by `; `. */
export function createCsvListAppender(
  out: ByteBuffer,
  formulaGuard: boolean,
): (rows: Uint8Array, start: number, end: number) => void {
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createListScanner();
  let isFirst = true;
  const appendElement = (element: Uint8Array, from: number, to: number, isNull: boolean) => {
    if (!isFirst) joined.append(listSeparator);
    isFirst = false;
    if (!isNull) joined.append(element, from, to);
  };
  return (rows, start, end) => {
    joined.length = 0;
    isFirst = true;
    if (rows[start] === quote) {
      literal.length = 0;
      appendUnquoted(literal, rows, start + 1, end - 1);
      scanList(literal.bytes, 0, literal.length, appendElement);
    } else {
      scanList(rows, start, end, appendElement);
    }
    appendCsvCell(out, joined.bytes, joined.length, formulaGuard);
  };
}

/** Appends one cell whose text is given raw, quoted where it must be; an empty text becomes `""`, which is not null. */
export function appendCsvCell(out: ByteBuffer, text: Uint8Array, length: number, formulaGuard: boolean): void {
  const isGuarded = formulaGuard && isFormula(text, 0, length);
  let isQuoted = length === 0;
  for (let at = 0; at < length && !isQuoted; at++) isQuoted = needsQuotes(text[at] as number);
  out.reserve(length * 2 + 3);
  if (isQuoted) out.push(quote);
  if (isGuarded) out.push(apostrophe);
  for (let at = 0; at < length; at++) {
    const byte = text[at] as number;
    if (byte === quote) out.push(quote);
    out.push(byte);
  }
  if (isQuoted) out.push(quote);
}

/** Whether a spreadsheet may take the text for a formula: it begins with = + - @, TAB, CR, LF or a full-width = + - @. */
export function isFormula(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  const first = bytes[start] as number;
  if (first > 0x40) return first === 0xef && start + 2 < end && isFullWidthSign(bytes[start + 1], bytes[start + 2]);
  return (
    first === 0x3d ||
    first === 0x2b ||
    first === 0x2d ||
    first === 0x40 ||
    first === 0x09 ||
    first === 0x0d ||
    first === 0x0a
  );
}

/** U+FF1D, U+FF0B, U+FF0D and U+FF20 as UTF-8, after their first byte. */
function isFullWidthSign(second: number | undefined, third: number | undefined): boolean {
  return second === 0xbc && (third === 0x9d || third === 0x8b || third === 0x8d || third === 0xa0);
}

function needsQuotes(byte: number): boolean {
  return byte === quote || byte === comma || byte === lineFeed || byte === carriageReturn;
}
