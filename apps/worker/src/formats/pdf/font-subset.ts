import { Buffer } from "node:buffer";
import type { Font } from "fontkit";

/** Tables of a TrueType font that a PDF needs (ISO 32000-1 §9.9), in the order in which they are written. */
const tableTags = ["head", "hhea", "loca", "maxp", "cvt ", "prep", "glyf", "hmtx", "fpgm"] as const;
type FontTables = Partial<Record<string, Buffer>>;

const componentFlags = { hasWords: 0x1, hasScale: 0x8, isFollowed: 0x20, hasTwoScales: 0x40, hasMatrix: 0x80 } as const;
const directoryEntryBytes = 16;

export interface FontSubset {
  readonly program: Buffer;
  readonly numberOf: ReadonlyMap<number, number>;
}

/** Returns a font of the given glyphs and their components, by copying bytes. fontkit's own subsetting would decode every outline. */
export function subsetFont(font: Font, glyphIds: Iterable<number>): FontSubset {
  const tables = readTables(font);
  const [head, hhea, maxp] = [tables["head"], tables["hhea"], tables["maxp"]].map((table) => Buffer.from(table!));
  const numberOf = new Map([[0, 0]]);
  const take = (id: number): number => {
    const number = numberOf.get(id) ?? numberOf.size;
    numberOf.set(id, number);
    return number;
  };
  for (const id of glyphIds) take(id);
  // While this loop visits `numberOf`, `take` appends the components of composite glyphs, so the loop copies them too.
  const outlines = Array.from(numberOf.keys(), (id) => copyOutline(tables, id, take));
  hhea!.writeUInt16BE(outlines.length, 34);
  maxp!.writeUInt16BE(outlines.length, 4);
  const loca = writeOffsets(outlines, hasLongOffsets(tables));
  const hmtx = copyMetrics(tables, [...numberOf.keys()]);
  return {
    program: buildFontFile({ ...tables, head, hhea, maxp, loca, hmtx, glyf: Buffer.concat(outlines) }),
    numberOf,
  };
}

function readTables(font: Font): FontTables {
  const { stream, directory } = font as unknown as {
    readonly stream: { readonly buffer: Uint8Array };
    readonly directory: { readonly tables: Record<string, { readonly offset: number; readonly length: number }> };
  };
  const { buffer, byteOffset } = stream.buffer;
  return Object.fromEntries(
    tableTags.flatMap((tag) => {
      const place = directory.tables[tag];
      return place === undefined ? [] : [[tag, Buffer.from(buffer, byteOffset + place.offset, place.length)]];
    }),
  );
}

function hasLongOffsets({ head }: FontTables): boolean {
  return head!.readInt16BE(50) === 1;
}

function copyOutline(tables: FontTables, id: number, take: (id: number) => number): Buffer {
  const { loca, glyf } = tables as { readonly loca: Buffer; readonly glyf: Buffer };
  const offset = (at: number): number =>
    hasLongOffsets(tables) ? loca.readUInt32BE(at * 4) : loca.readUInt16BE(at * 2) * 2;
  const original = glyf.subarray(offset(id), offset(id + 1));
  if (original.length === 0 || original.readInt16BE(0) >= 0) return original;
  const outline = Buffer.from(original);
  for (let at = 10, flags: number = componentFlags.isFollowed; (flags & componentFlags.isFollowed) !== 0;) {
    flags = outline.readUInt16BE(at);
    outline.writeUInt16BE(take(outline.readUInt16BE(at + 2)), at + 2);
    at += (flags & componentFlags.hasWords) === 0 ? 6 : 8;
    if ((flags & componentFlags.hasScale) !== 0) at += 2;
    else if ((flags & componentFlags.hasTwoScales) !== 0) at += 4;
    else if ((flags & componentFlags.hasMatrix) !== 0) at += 8;
  }
  return outline;
}

function writeOffsets(outlines: readonly Buffer[], areLong: boolean): Buffer {
  const offsets = Buffer.alloc((outlines.length + 1) * (areLong ? 4 : 2));
  let offset = 0;
  for (const [at, { length }] of outlines.entries()) {
    offset += length;
    if (areLong) offsets.writeUInt32BE(offset, (at + 1) * 4);
    else offsets.writeUInt16BE(offset / 2, (at + 1) * 2);
  }
  return offsets;
}

/** Returns advances and left bearings of glyphs. Glyphs after the font's last pair share the advance of that pair. */
function copyMetrics({ hhea, hmtx }: FontTables, ids: readonly number[]): Buffer {
  const pairs = hhea!.readUInt16BE(34);
  const metrics = Buffer.alloc(ids.length * 4);
  for (const [at, id] of ids.entries()) {
    const advanceAt = Math.min(id, pairs - 1) * 4;
    const bearingAt = id < pairs ? advanceAt + 2 : pairs * 4 + (id - pairs) * 2;
    hmtx!.copy(metrics, at * 4, advanceAt, advanceAt + 2);
    hmtx!.copy(metrics, at * 4 + 2, bearingAt, bearingAt + 2);
  }
  return metrics;
}

function buildFontFile(tables: FontTables): Buffer {
  const present = tableTags.flatMap((tag) => (tables[tag] === undefined ? [] : [{ tag, table: tables[tag] }]));
  const directory = Buffer.alloc(12 + present.length * directoryEntryBytes);
  const exponent = Math.floor(Math.log2(present.length));
  directory.write("true", "latin1");
  directory.writeUInt16BE(present.length, 4);
  directory.writeUInt16BE(directoryEntryBytes * 2 ** exponent, 6);
  directory.writeUInt16BE(exponent, 8);
  directory.writeUInt16BE(directoryEntryBytes * (present.length - 2 ** exponent), 10);
  let offset = directory.length;
  for (const [at, { tag, table }] of present.entries()) {
    const entry = 12 + at * directoryEntryBytes;
    directory.write(tag, entry, "latin1");
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    offset += table.length;
  }
  return Buffer.concat([directory, ...present.map(({ table }) => table)]);
}
