import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { readRowBlocks } from "./row-blocks.ts";

/** Fields of one row. Null differs from the empty string. */
export type WireRow = readonly (string | null)[];

/** Rows of one block, which each iteration parses again. If the strings were kept, garbage collections would copy them. */
export interface WireRows extends Iterable<WireRow> {
  readonly length: number;
  readonly bytes: Buffer;
}

/** Text is decoded in pieces of this many bytes. V8 stores a piece with two bytes per character if one character is beyond Latin-1. */
const decodeStepBytes = 8 * 1024;

/** Decodes the wire form into rows of strings, for pdf only, which measures every cell. Other formats work on bytes. */
export async function* readRows(bytes: Readable): AsyncGenerator<WireRows> {
  for await (const block of readRowBlocks(bytes)) {
    // The rows may be read after the next block has overwritten this memory.
    const own = Buffer.from(block.bytes);
    yield { length: block.rows, bytes: own, [Symbol.iterator]: () => parseRows(own) };
  }
}

export function* parseRows(bytes: Buffer): Generator<WireRow, void> {
  for (let start = 0; start < bytes.length;) {
    const end = findRowEnd(bytes, start, decodeStepBytes);
    const text = bytes.toString("utf8", start, end);
    for (let at = 0; at < text.length;) {
      const row: (string | null)[] = [];
      at = parseRow(text, at, row);
      yield row;
    }
    start = end;
  }
}

function findRowEnd(bytes: Buffer, start: number, distance: number): number {
  let inQuotes = false;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) inQuotes = !inQuotes;
    else if (byte === 0x0a && !inQuotes && at - start >= distance) return at + 1;
  }
  return at;
}

function parseRow(text: string, start: number, row: (string | null)[]): number {
  for (let at = start; ;) {
    let end: number;
    if (text.charCodeAt(at) === 0x22) {
      end = findClosingQuote(text, at + 1);
      const field = text.slice(at + 1, end);
      row.push(field.includes('"') ? field.replaceAll('""', '"') : field);
      end++;
    } else {
      end = at;
      for (let code = text.charCodeAt(end); code !== 0x2c && code !== 0x0a; code = text.charCodeAt(++end));
      row.push(end === at ? null : text.slice(at, end));
    }
    at = end + 1;
    if (text.charCodeAt(end) === 0x0a) return at;
  }
}

/** Parses a Postgres text-array literal: `{a,"b \"c\"",NULL}` → `["a", 'b "c"', null]`. Bounds, as in `[2:3]={a,b}`, are ignored. */
export function parseTextArray(literal: string): (string | null)[] {
  const elements: (string | null)[] = [];
  let at = literal.indexOf("{") + 1;
  while (at < literal.length - 1) {
    let element = "";
    const quoted = literal[at] === '"';
    if (quoted) at++;
    for (; at < literal.length; at++) {
      const character = literal[at]!;
      if (quoted ? character === '"' : character === "," || character === "}") break;
      element += character === "\\" ? literal[++at]! : character;
    }
    elements.push(!quoted && element.toUpperCase() === "NULL" ? null : element);
    at += quoted ? 2 : 1;
  }
  return elements;
}

function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (text.charCodeAt(at + 1) === 0x22) at = text.indexOf('"', at + 2);
  return at;
}
