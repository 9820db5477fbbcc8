import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core";
import { appendTimestamp } from "./append-timestamp.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { appendUnquoted, fieldForms, type RowEncoder } from "./scan-fields.ts";
import { createListScanner } from "./scan-list.ts";

const comma = 0x2c;
const quote = 0x22;
const apostrophe = 0x27;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const letterT = 0x74;
const trueWord = Buffer.from("true");
const falseWord = Buffer.from("false");
const listSeparator = Buffer.from("; ");

/** Encodes rows as csv (RFC 4180, CRLF) into the buffer. contract §2 says how each kind is shown. */
export function createCsvEncoder(columns: readonly ReportColumn[], out: ByteBuffer, formulaGuard: boolean): RowEncoder {
  const kinds = columns.map((column) => column.kind);
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createListScanner();

  function appendList(bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    literal.length = 0;
    joined.length = 0;
    if (isDoubled) appendUnquoted(literal, bytes, start, end);
    else literal.append(bytes, start, end);
    let isFirst = true;
    scanList(literal.bytes, 0, literal.length, (element, from, to, isNull) => {
      if (!isFirst) joined.append(listSeparator);
      isFirst = false;
      if (!isNull) joined.append(element, from, to);
    });
    appendCell(out, joined, formulaGuard);
  }

  return {
    field(column, bytes, start, end, form) {
      if (column > 0) {
        out.reserve(1);
        out.push(comma);
      }
      const isBare = form === fieldForms.bare;
      if (isBare && start === end) return;
      switch (kinds[column]) {
        case "text":
          out.reserve(end - start + 3);
          if (!isBare) out.push(quote);
          if (formulaGuard && isFormula(bytes, start, end)) out.push(apostrophe);
          out.append(bytes, start, end);
          if (!isBare) out.push(quote);
          return;
        case "boolean":
          out.append(bytes[start] === letterT ? trueWord : falseWord);
          return;
        case "timestamp":
          appendTimestamp(out, bytes, start, end);
          return;
        case "list":
          appendList(bytes, start, end, form === fieldForms.doubled);
          return;
        default:
          out.append(bytes, start, end);
      }
    },
    endRow() {
      out.reserve(2);
      out.push(carriageReturn);
      out.push(lineFeed);
    },
  };
}

/** Appends one cell whose text is given raw, quoted where it must be; an empty text becomes `""`, which is not null. */
export function appendCell(out: ByteBuffer, text: ByteBuffer, formulaGuard: boolean): void {
  const content = text.view();
  const guarded = formulaGuard && isFormula(content, 0, content.length);
  out.reserve(content.length * 2 + 3);
  if (content.length > 0 && !content.some(needsQuotes)) {
    if (guarded) out.push(apostrophe);
    out.append(content);
    return;
  }
  out.push(quote);
  if (guarded) out.push(apostrophe);
  for (const byte of content) {
    if (byte === quote) out.push(quote);
    out.push(byte);
  }
  out.push(quote);
}

function needsQuotes(byte: number): boolean {
  return byte === quote || byte === comma || byte === lineFeed || byte === carriageReturn;
}

/** Whether a spreadsheet may take the text for a formula: it begins with = + - @, TAB, CR, LF or a full-width = + - @. */
function isFormula(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return false;
  const first = bytes[start] as number;
  if (first < 0x41) {
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
  if (first !== 0xef || end - start < 3) return false;
  const [second, third] = [bytes[start + 1], bytes[start + 2]];
  if (second === 0xbc) return third === 0x9d || third === 0x8b || third === 0x8d || third === 0xa0;
  return false;
}
