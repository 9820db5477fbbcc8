import { DomainError } from "@reports/core/base";

/** Maximum number of keys in all objects of a body together, and of values in all its lists together. */
const maxKeys = 200;
const maxValues = 2_000;

const quoteByte = 0x22;
const backslashByte = 0x5c;
const colonByte = 0x3a;
const commaByte = 0x2c;
const objectStartByte = 0x7b;
const objectEndByte = 0x7d;
const listStartByte = 0x5b;
const listEndByte = 0x5d;
const spaceByte = 0x20;

/**
 * Throws DomainError("invalid") for a JSON body with too many fields or values. It runs before the parser, because parsing 20,000 fields takes as
 * long as a hundred requests. It accepts invalid JSON and deep nesting, which the parser refuses later.
 */
export function assertJsonItemLimit(bytes: Uint8Array): void {
  let keys = 0;
  let listed = 0;
  let depth = 0;
  /** Whether each open nesting level is a list (true) or an object (false). */
  const isList: boolean[] = [];
  let isEmpty = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte <= spaceByte) continue;
    if (isEmpty && byte !== listEndByte) listed += 1;
    isEmpty = false;
    if (byte === quoteByte) {
      at = findStringEnd(bytes, at + 1);
    } else if (byte === colonByte) {
      if (isList[depth] === false) keys += 1;
    } else if (byte === commaByte) {
      if (isList[depth] === true) listed += 1;
    } else if (byte === objectStartByte || byte === listStartByte) {
      depth += 1;
      isList[depth] = byte === listStartByte;
      isEmpty = byte === listStartByte;
    } else if (byte === objectEndByte || byte === listEndByte) {
      if (depth === 0) return;
      depth -= 1;
    }
    if (keys > maxKeys)
      throw tooManyItems("too_many_fields", `A body may have at most ${maxKeys} fields across all its objects.`);
    if (listed > maxValues)
      throw tooManyItems("too_many_values", `A body may have at most ${maxValues} values across all its lists.`);
  }
}

function findStringEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== quoteByte) end += bytes[end] === backslashByte ? 2 : 1;
  return end;
}

function tooManyItems(code: string, message: string): DomainError {
  return new DomainError("invalid", "invalid-body", message, { issues: [{ pointer: "", code, message }] });
}
