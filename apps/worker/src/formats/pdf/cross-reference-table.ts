import { deflateSync } from "node:zlib";
import { freeMemory } from "../../wire/unshared-memory.ts";

/** Maximum objects per object stream. There is a limit, because one number encodes both the stream and the index of an object. */
const maxInStream = 65_536;
/** Bytes of a cross-reference entry: 1 for its kind, 5 for an offset or a stream, 2 for an index. */
const entryBytes = 1 + 5 + 2;
const rowBytes = entryBytes + 1;
const upPredictorTag = 2;

/** Positions of objects: an offset in the file, or an index in an object stream. Takes 8 bytes per object, because a document can have millions. */
export class CrossReferenceTable {
  /** By object number: NaN for an unwritten object, a positive offset, or a negative number that encodes a stream and an index. */
  #locations = new Float64Array(1024).fill(Number.NaN);
  /** Number of objects, including object 0, which is free by definition. */
  count = 1;

  allocate(many: number): number {
    const first = this.count;
    this.count += many;
    if (this.count > this.#locations.length) {
      const larger = new Float64Array(Math.max(this.count, Math.ceil(this.#locations.length * 1.5))).fill(Number.NaN);
      larger.set(this.#locations);
      freeMemory(this.#locations);
      this.#locations = larger;
    }
    return first;
  }

  setOffset(id: number, offset: number): void {
    this.#locations[id] = offset;
  }

  setInStream(id: number, stream: number, index: number): void {
    this.#locations[id] = -(stream * maxInStream + index);
  }

  /** Returns the compressed entries of a cross-reference stream (ISO 32000-1 §7.5.8) with their parameters, and frees the memory. */
  entries(): { readonly compressed: Buffer; readonly dictionary: string } {
    const rows = Buffer.alloc(this.count * rowBytes);
    const last = Buffer.alloc(entryBytes);
    const entry = Buffer.alloc(entryBytes);
    for (let id = 0; id < this.count; id++) {
      const location = this.#locations[id]!;
      const isFree = Number.isNaN(location);
      const isInStream = location < 0;
      entry[0] = isFree ? 0 : isInStream ? 2 : 1;
      entry.writeUIntBE(isFree ? 0 : isInStream ? Math.floor(-location / maxInStream) : location, 1, 5);
      entry.writeUInt16BE(isFree ? 65_535 : isInStream ? -location % maxInStream : 0, 6);
      const row = id * rowBytes;
      rows[row] = upPredictorTag;
      for (let at = 0; at < entryBytes; at++) {
        rows[row + 1 + at] = entry[at]! - last[at]!;
        last[at] = entry[at]!;
      }
    }
    const compressed = deflateSync(rows, { level: 1 });
    freeMemory(rows);
    freeMemory(this.#locations);
    return {
      compressed,
      dictionary: `/W[1 5 2]/Size ${this.count}/DecodeParms<</Predictor 12/Columns ${entryBytes}>>`,
    };
  }
}
