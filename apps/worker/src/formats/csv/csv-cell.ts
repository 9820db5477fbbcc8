import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendUndoubledQuotes } from "../../wire/scan-fields.ts";
import { createTextArrayScanner } from "../../wire/scan-list.ts";
import { startsFormula, formulaStartByteTables, nonCommaSeparatorTable } from "./formula-guard.ts";

const quote = 0x22;
const comma = 0x2c;
const apostrophe = 0x27;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const listSeparator = new Uint8Array([0x3b, 0x20]);

export function createCsvListAppender(
  out: ByteBuffer,
  formulaGuard: boolean,
): (rows: Uint8Array, start: number, end: number) => void {
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createTextArrayScanner();
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
      appendUndoubledQuotes(literal, rows, start + 1, end - 1);
      scanList(literal.bytes, 0, literal.length, appendElement);
    } else {
      scanList(rows, start, end, appendElement);
    }
    appendCsvCell(out, joined.bytes, joined.length, formulaGuard);
  };
}

/** Appends a csv cell, quoted if necessary. An empty text becomes `""`, because an empty cell means null. */
export function appendCsvCell(out: ByteBuffer, text: Uint8Array, length: number, formulaGuard: boolean): void {
  let isQuoted = length === 0;
  for (let at = 0; at < length && !isQuoted; at++) isQuoted = needsQuotes(text[at] as number);
  out.reserve(length * 3 + 3);
  if (isQuoted) out.push(quote);
  if (formulaGuard && startsFormula(text, 0, length, formulaStartByteTables.ofQuoted, "single")) out.push(apostrophe);
  for (let at = 0; at < length; at++) {
    const byte = text[at] as number;
    if (byte === quote) out.push(quote);
    out.push(byte);
    if (
      formulaGuard &&
      nonCommaSeparatorTable[byte] === 1 &&
      startsFormula(text, at + 1, length, formulaStartByteTables.inside, "single")
    )
      out.push(apostrophe);
  }
  if (isQuoted) out.push(quote);
}

function needsQuotes(byte: number): boolean {
  return byte === quote || byte === comma || byte === lineFeed || byte === carriageReturn;
}
