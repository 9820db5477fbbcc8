import { BrokenRowsError } from "./broken-rows-error.ts";
import { ByteBuffer } from "./byte-buffer.ts";

const openBracket = 0x5b;
const equalsSign = 0x3d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/** Receives one element of a list: `bytes[start..end)` without escapes, or a null. */
export type OnListElement = (bytes: Uint8Array, start: number, end: number, isNull: boolean) => void;

/**
 * Makes the function that scans a Postgres text-array literal, such as `{a,"b \"c\"",NULL}`. Bounds, as in `[2:3]={a,b}`, are ignored. The bytes of
 * an element are valid only during the call. Throws BrokenRowsError for arrays of several dimensions, which no column can show.
 */
export function createTextArrayScanner(): (
  bytes: Uint8Array,
  start: number,
  end: number,
  onElement: OnListElement,
) => void {
  const unescaped = new ByteBuffer(256);
  return (bytes, start, end, onElement) => {
    let at = start;
    if (bytes[at] === openBracket) at = bytes.indexOf(equalsSign, at) + 1;
    if (bytes[at] === openBrace) at++;
    // Postgres quotes a text element that begins with a brace, so an unquoted brace begins a nested list.
    if (bytes[at] === openBrace) throw nestedListError();
    const last = bytes[end - 1] === closeBrace ? end - 1 : end;
    while (at < last) {
      const quoted = bytes[at] === quote;
      const from = quoted ? ++at : at;
      let escaped = false;
      while (at < last && bytes[at] !== (quoted ? quote : comma)) {
        if (bytes[at] === backslash) {
          escaped = true;
          at++;
        }
        at++;
      }
      if (escaped) {
        unescaped.length = 0;
        appendWithoutBackslashes(unescaped, bytes, from, at);
        onElement(unescaped.bytes, 0, unescaped.length, false);
      } else {
        onElement(bytes, from, at, !quoted && isNullWord(bytes, from, at));
      }
      at += quoted ? 2 : 1;
    }
  };
}

function nestedListError(): BrokenRowsError {
  return new BrokenRowsError(
    "A list holds lists, which no column can show. The source of this report type is broken; its owner must fix it.",
  );
}

function appendWithoutBackslashes(out: ByteBuffer, bytes: Uint8Array, start: number, end: number): void {
  out.reserve(end - start);
  for (let at = start; at < end; at++) {
    if (bytes[at] === backslash) at++;
    out.push(bytes[at] as number);
  }
}

function isNullWord(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 4) return false;
  const lower = (offset: number) => (bytes[start + offset] as number) | 0x20;
  return lower(0) === 0x6e && lower(1) === 0x75 && lower(2) === 0x6c && lower(3) === 0x6c;
}
