import { Buffer } from "node:buffer";
import type { ByteBuffer } from "../../wire/byte-buffer.ts";

const ampersand = Buffer.from("&amp;");
const lessThan = Buffer.from("&lt;");
const greaterThan = Buffer.from("&gt;");
const escapedUnderscore = Buffer.from("_x005F_");
const quote = 0x22;
const underscore = 0x5f;
const plainByteTable = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x09 || byte === 0x0a || (byte >= 0x20 && ![0x22, 0x26, 0x3c, 0x3e, 0x5f, 0xef].includes(byte)) ? 1 : 0,
);
/** Characters that XML 1.0 cannot contain, and CR, which XML readers turn into LF. */
const unrepresentableCharacters = /(?![\t\n\u007F-\u009F])[\p{Cc}\uFFFE\uFFFF]/gu;
/**
 * An underscore that readers would take for the start of an escape `_xHHHH_`. The final underscore can begin the next match. It can also be the first
 * character of the escape that replaces the following character.
 */
const escapeLookAlike = /_(?=x[0-9A-Fa-f]{4}(?:_|(?![\t\n\u007F-\u009F])[\p{Cc}\uFFFE\uFFFF]))/gu;
/** Maximum number of bytes that one byte becomes: `_x001F_`. */
const maxGrowth = 7;

/**
 * Appends UTF-8 text as the text of a cell. CR and characters that XML cannot contain become `_xHHHH_` (ECMA-376 part 1, 22.4.2.4). Text that looks
 * like such an escape is escaped. `isDoubled` says that the bytes contain quotes twice. Returns whether the result has escapes.
 */
export function appendXmlText(
  out: ByteBuffer,
  bytes: Uint8Array,
  start: number,
  end: number,
  isDoubled: boolean,
): boolean {
  let hasEscapes = false;
  out.reserve((end - start) * maxGrowth);
  const target = out.bytes;
  let to = out.length;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (plainByteTable[byte] === 1) target[to++] = byte;
    else if (byte === quote) {
      target[to++] = quote;
      if (isDoubled) at++;
    } else if (byte === 0x26) to += ampersand.copy(target, to);
    else if (byte === 0x3c) to += lessThan.copy(target, to);
    else if (byte === 0x3e) to += greaterThan.copy(target, to);
    else if (byte === underscore && startsEscape(bytes, at, end)) {
      to += escapedUnderscore.copy(target, to);
      hasEscapes = true;
    } else if (isEscaped(bytes, at)) {
      to += target.write(escapeCharacter(byte < 0x20 ? byte : bytes[at + 2] === 0xbe ? 0xfffe : 0xffff), to, "latin1");
      if (byte >= 0x20) at += 2;
      hasEscapes = true;
    } else target[to++] = byte;
  }
  out.length = to;
  return hasEscapes;
}

/** Escapes text for content and attributes of type ST_Xstring: cells, sheet names and names of table columns. */
export function escapeXstring(text: string): string {
  return escapeMarkup(
    text
      .toWellFormed()
      .replaceAll(escapeLookAlike, "_x005F_")
      .replaceAll(unrepresentableCharacters, (character) => escapeCharacter(character.charCodeAt(0))),
  );
}

/** Escapes text for drawings and properties, where `_xHHHH_` is not decoded. Characters that XML does not allow are removed. */
export function escapeXmlText(text: string): string {
  return escapeMarkup(text.toWellFormed().replaceAll(unrepresentableCharacters, ""));
}

/** Escapes markup, and TAB and LF, which XML readers would turn into spaces in an attribute. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\n", "&#10;");
}

function escapeCharacter(code: number): string {
  return `_x${code.toString(16).toUpperCase().padStart(4, "0")}_`;
}

function startsEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 6 >= end || bytes[at + 1] !== 0x78) return false;
  for (let digit = at + 2; digit < at + 6; digit++) {
    const byte = bytes[digit] as number;
    const isHex = (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
    if (!isHex) return false;
  }
  return bytes[at + 6] === underscore || isEscaped(bytes, at + 6);
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] as number;
  if (byte < 0x20) return byte !== 0x09 && byte !== 0x0a;
  return byte === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe;
}
