import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core/report";
import { createRfc3339Appender } from "../../wire/append-timestamp.ts";
import { ByteBuffer, toAlignedBytes } from "../../wire/byte-buffer.ts";
import { appendUndoubledQuotes, fieldQuotings, type RowEncoder } from "../../wire/scan-fields.ts";
import { createTextArrayScanner } from "../../wire/scan-list.ts";

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const letterT = 0x74;
const nullWord = toAlignedBytes("null");
const trueWord = toAlignedBytes("true");
const falseWord = toAlignedBytes("false");
const hexDigits = Buffer.from("0123456789abcdef");
/** Letter of the short escape of a control character, such as the n of `\n`; 0 if JSON has none. */
const shortEscapes = new Uint8Array(32);
for (const [code, letter] of [
  [8, "b"],
  [9, "t"],
  [10, "n"],
  [12, "f"],
  [13, "r"],
] as const)
  shortEscapes[code] = letter.charCodeAt(0);

/** First UTF-8 byte of U+0085, and of U+2028 and U+2029. Some programs end a line at these characters. */
const nextLineFirstByte = 0xc2;
const separatorFirstByte = 0xe2;
/** Holds 0 for bytes that may need an escape, 1 for bytes that are copied. */
const plainByteTable = new Uint8Array(256).fill(1, 0x20);
for (const byte of [quote, backslash, nextLineFirstByte, separatorFirstByte]) plainByteTable[byte] = 0;

/**
 * Returns the encoder of rows as JSON objects, one per line. It writes `betweenRows` before every row except the first, and times in `timezone`.
 * bigint, decimal and ratio become strings, because a JSON number could lose digits.
 */
export function createJsonEncoder(
  columns: readonly ReportColumn[],
  out: ByteBuffer,
  { timezone, betweenRows = "" }: { readonly timezone: string; readonly betweenRows?: string },
): RowEncoder {
  const appendTimestamp = createRfc3339Appender(timezone);
  const kinds = columns.map((column) => column.kind);
  const keys = columns.map((column, index) =>
    toAlignedBytes(`${index === 0 ? "{" : ","}${JSON.stringify(column.key)}:`),
  );
  const separator = toAlignedBytes(betweenRows);
  const rowEnd = toAlignedBytes("}\n");
  const literal = new ByteBuffer(1024);
  const scanList = createTextArrayScanner();
  let isFirstRow = true;

  function appendList(bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    literal.length = 0;
    if (isDoubled) appendUndoubledQuotes(literal, bytes, start, end);
    else literal.append(bytes, start, end);
    out.reserve(1);
    out.push(0x5b);
    let isFirst = true;
    scanList(literal.bytes, 0, literal.length, (element, from, to, isNull) => {
      out.reserve(1);
      if (!isFirst) out.push(comma);
      isFirst = false;
      if (isNull) out.appendWords(nullWord);
      else appendJsonText(out, element, from, to, false);
    });
    out.reserve(1);
    out.push(0x5d);
  }

  return {
    field(column, bytes, start, end, form) {
      if (column === 0) {
        if (!isFirstRow) out.appendWords(separator);
        isFirstRow = false;
      }
      out.appendWords(keys[column] ?? nullWord);
      if (start === end && form === fieldQuotings.bare) {
        out.appendWords(nullWord);
        return;
      }
      switch (kinds[column]) {
        case "integer":
          out.append(bytes, start, end);
          return;
        case "boolean":
          out.appendWords(bytes[start] === letterT ? trueWord : falseWord);
          return;
        case "timestamp":
          out.reserve(2);
          out.push(quote);
          appendTimestamp(out, bytes, start, end);
          out.reserve(1);
          out.push(quote);
          return;
        case "list":
          appendList(bytes, start, end, form === fieldQuotings.doubled);
          return;
        default:
          appendJsonText(out, bytes, start, end, form === fieldQuotings.doubled);
      }
    },
    endRow() {
      out.appendWords(rowEnd);
    },
  };
}

/** Appends a JSON string. `isDoubled` says that the bytes hold each quote twice. Escapes characters at which some programs end a line. */
function appendJsonText(out: ByteBuffer, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
  // A control character becomes six bytes.
  out.reserve((end - start) * 6 + 2);
  const target = out.bytes;
  let to = out.length;
  target[to++] = quote;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (plainByteTable[byte] === 1) {
      target[to++] = byte;
      continue;
    }
    if (byte > 0x7f) {
      const escape = lineEndEscape(bytes, at, end);
      if (escape === null) target[to++] = byte;
      else {
        to += target.write(escape, to, "latin1");
        at += byte === separatorFirstByte ? 2 : 1;
      }
      continue;
    }
    target[to++] = backslash;
    if (byte >= 0x20) {
      target[to++] = byte;
      if (isDoubled && byte === quote) at++;
    } else if (shortEscapes[byte] !== 0) {
      target[to++] = shortEscapes[byte] as number;
    } else {
      to += target.write("u00", to, "latin1");
      target[to++] = hexDigits[byte >> 4] as number;
      target[to++] = hexDigits[byte & 15] as number;
    }
  }
  target[to++] = quote;
  out.length = to;
}

function lineEndEscape(bytes: Uint8Array, at: number, end: number): string | null {
  if (bytes[at] === nextLineFirstByte) return at + 1 < end && bytes[at + 1] === 0x85 ? String.raw`\u0085` : null;
  if (at + 2 >= end || bytes[at + 1] !== 0x80) return null;
  if (bytes[at + 2] === 0xa8) return String.raw`\u2028`;
  return bytes[at + 2] === 0xa9 ? String.raw`\u2029` : null;
}
