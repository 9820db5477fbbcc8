import { createFieldCountError } from "./broken-rows-error.ts";
import type { ByteBuffer } from "./byte-buffer.ts";

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;

export const fieldQuotings = { bare: 0, quoted: 1, doubled: 2 } as const;
/** One of `fieldQuotings`. A number is cheap to pass, and one is passed per field. */
export type FieldQuoting = 0 | 1 | 2;

/** `bytes[start..end)` is a field without its quotes. An empty `bare` field is null; an empty `quoted` field is an empty string. */
export interface RowEncoder {
  field(column: number, bytes: Uint8Array, start: number, end: number, form: FieldQuoting): void;
  endRow(): void;
}

/** Scans whole rows of the wire form and passes each field to `encoder`. Throws BrokenRowsError if a row has a wrong number of fields. */
export function scanFields(bytes: Uint8Array, columnCount: number, encoder: RowEncoder): void {
  let column = 0;
  let at = 0;
  const length = bytes.length;
  while (at < length) {
    let start = at;
    let end: number;
    let form: FieldQuoting = fieldQuotings.bare;
    let byte = bytes[at];
    if (byte === quote) {
      start = ++at;
      form = fieldQuotings.quoted;
      for (;;) {
        while (at < length && bytes[at] !== quote) at++;
        if (bytes[at + 1] !== quote) break;
        form = fieldQuotings.doubled;
        at += 2;
      }
      end = at++;
      byte = bytes[at];
    } else {
      while (byte !== comma && byte !== lineFeed && at < length) byte = bytes[++at];
      end = at;
    }
    at++;
    encoder.field(column, bytes, start, end, form);
    column++;
    if (byte === lineFeed) {
      if (column !== columnCount) throw createFieldCountError(column, columnCount);
      encoder.endRow();
      column = 0;
    }
  }
}

export function appendUndoubledQuotes(out: ByteBuffer, bytes: Uint8Array, start: number, end: number): void {
  out.reserve(end - start);
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    out.push(byte);
    if (byte === quote) at++;
  }
}
