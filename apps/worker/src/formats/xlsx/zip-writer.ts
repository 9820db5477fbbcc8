import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { ByteSink } from "../format-renderer.ts";
import { combineCrc32 } from "./combine-crc32.ts";

const maxUint32 = 0xffffffff;
/** ZIP's earliest time, 1980-01-01 00:00. A fixed time makes the bytes depend only on the rows. */
const dosDate = 0x0021;
const deflateMethod = 8;
/** Versions needed to extract (APPNOTE 4.4.3). */
const versionsNeeded = { deflate: 20, zip64: 45 } as const;
/** Flags of an entry: sizes follow the data (bit 3), names are UTF-8 (bit 11). */
const entryFlags = 0x0808;

/** A byte-aligned part of an entry's raw deflate stream, with size and CRC of the uncompressed bytes. */
export interface DeflatedPiece {
  readonly deflated: Uint8Array;
  readonly plainBytes: number;
  readonly crc: number;
  /** For the first piece of an entry: returns a piece of equal size that replaces it after the entry is written; null keeps it. */
  readonly replacement?: () => DeflatedPiece | null;
}

interface ZipEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly plainBytes: number;
  readonly deflatedBytes: number;
}

/** Output buffer of the compressor in bytes, large enough for one chunk per block. Node's default makes many small chunks. */
const deflateChunkBytes = 256 * 1024;

/** Deflates bytes at level 1 as a piece. `isLast` ends the deflate stream of the entry. */
export function deflatePiece(plain: Uint8Array, isLast: boolean): DeflatedPiece {
  const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  const chunkSize = Math.min(deflateChunkBytes, Math.max(1024, plain.length));
  return {
    deflated: deflateRawSync(plain, { level: 1, memLevel: 9, finishFlush, chunkSize }),
    plainBytes: plain.length,
    crc: crc32(plain),
  };
}

/**
 * Returns the first piece of an entry, uncompressed. After the entry is written, `replacement` returns as many other bytes, or null to keep these.
 */
export function createUncompressedPiece(plain: Uint8Array, replacement: () => Uint8Array | null): DeflatedPiece {
  const stored = (bytes: Uint8Array): DeflatedPiece => ({
    deflated: deflateRawSync(bytes, { level: 0, finishFlush: constants.Z_SYNC_FLUSH }),
    plainBytes: bytes.length,
    crc: crc32(bytes),
  });
  return {
    ...stored(plain),
    replacement() {
      const other = replacement();
      return other === null ? null : stored(other);
    },
  };
}

/**
 * Writes a ZIP archive from front to back. An entry must be below 4 GiB: its header precedes its size, and readers disagree on ZIP64 sizes that the
 * header did not announce. The archive itself has no limit.
 */
export class ZipWriter {
  readonly #sink: ByteSink;
  readonly #entries: ZipEntry[] = [];
  #offset: number;

  constructor(sink: ByteSink, offset = 0) {
    this.#sink = sink;
    this.#offset = offset;
  }

  async add(name: string, content: string | Uint8Array): Promise<void> {
    const piece = deflatePiece(typeof content === "string" ? Buffer.from(content, "utf8") : content, true);
    await this.addPieces(name, async function* () {
      yield piece;
    });
  }

  /** Adds an entry that consists of pieces. The last piece ends the deflate stream. Rejects with an Error if the entry reaches 4 GiB. */
  async addPieces(name: string, pieces: () => AsyncIterable<DeflatedPiece>): Promise<void> {
    const nameBytes = Buffer.from(name, "utf8");
    const offset = this.#offset;
    await this.#write(localHeader(nameBytes, offset));
    const firstAt = this.#offset;
    let first: DeflatedPiece | undefined;
    let rest = { plainBytes: 0, crc: 0 };
    let deflatedBytes = 0;
    let plainBytes = 0;
    for await (const piece of pieces()) {
      plainBytes += piece.plainBytes;
      deflatedBytes += piece.deflated.length;
      if (Math.max(plainBytes, deflatedBytes) >= maxUint32) throw new Error(`The entry ${name} has more than 4 GiB.`);
      await this.#write(piece.deflated);
      if (first === undefined) first = piece;
      else rest = combineSizeAndCrc(rest, piece);
    }
    const replacement = first?.replacement?.() ?? null;
    if (replacement !== null) await this.#sink.overwrite(firstAt, replacement.deflated);
    const { crc } = combineSizeAndCrc(replacement ?? first ?? rest, rest);
    await this.#write(dataDescriptor(crc, deflatedBytes, plainBytes));
    this.#entries.push({ name: nameBytes, offset, crc, plainBytes, deflatedBytes });
  }

  async finish(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#write(directoryEntry(entry));
    await this.#write(directoryEnd(this.#entries.length, start, this.#offset));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#sink.write(bytes);
  }
}

type SizeAndCrc = Pick<DeflatedPiece, "plainBytes" | "crc">;

function combineSizeAndCrc(before: SizeAndCrc, next: SizeAndCrc): SizeAndCrc {
  return {
    plainBytes: before.plainBytes + next.plainBytes,
    crc: combineCrc32(before.crc, next.crc, next.plainBytes),
  };
}

function localHeader(name: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  // The version must equal the one in the central directory of the ZIP file, because some readers compare them.
  header.writeUInt16LE(requiredVersion(offset), 4);
  header.writeUInt16LE(entryFlags, 6);
  header.writeUInt16LE(deflateMethod, 8);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function requiredVersion(offset: number): number {
  return offset >= maxUint32 ? versionsNeeded.zip64 : versionsNeeded.deflate;
}

function dataDescriptor(crc: number, deflatedBytes: number, plainBytes: number): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(deflatedBytes, 8);
  descriptor.writeUInt32LE(plainBytes, 12);
  return descriptor;
}

function directoryEntry({ name, offset, crc, plainBytes, deflatedBytes }: ZipEntry): Buffer {
  const isFar = offset >= maxUint32;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(requiredVersion(offset), 4);
  header.writeUInt16LE(requiredVersion(offset), 6);
  header.writeUInt16LE(entryFlags, 8);
  header.writeUInt16LE(deflateMethod, 10);
  header.writeUInt16LE(dosDate, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(deflatedBytes, 20);
  header.writeUInt32LE(plainBytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(isFar ? 12 : 0, 30);
  header.writeUInt32LE(isFar ? maxUint32 : offset, 42);
  if (!isFar) return Buffer.concat([header, name]);
  // The ZIP64 field holds only the values that did not fit (APPNOTE 4.5.3), which is the offset.
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return Buffer.concat([header, name, extra]);
}

function directoryEnd(entries: number, start: number, end: number): Buffer {
  const isLarge = end >= maxUint32;
  const trailer = Buffer.alloc(22);
  trailer.writeUInt32LE(0x06054b50, 0);
  trailer.writeUInt16LE(entries, 8);
  trailer.writeUInt16LE(entries, 10);
  trailer.writeUInt32LE(isLarge ? maxUint32 : end - start, 12);
  trailer.writeUInt32LE(isLarge ? maxUint32 : start, 16);
  if (!isLarge) return trailer;
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(versionsNeeded.zip64, 12);
  record.writeUInt16LE(versionsNeeded.zip64, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(end - start), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(end), 64);
  record.writeUInt32LE(1, 72);
  return Buffer.concat([record, trailer]);
}
