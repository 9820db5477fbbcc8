import { ContentBuffer } from "./content-buffer.ts";
import { IntegerList } from "./integer-list.ts";

/** Objects that are to be written together, compressed, in one object stream (ISO 32000-1 §7.5.7): many and small. */
export class ObjectPack {
  /** The bodies, each followed by white space. */
  readonly bodies = new ContentBuffer();
  /** Object numbers, in the order of the bodies. */
  readonly ids = new IntegerList();
  readonly #places = new ContentBuffer();

  /** Begins the object; whatever is written to `bodies` until the next call is its body. */
  begin(id: number): void {
    this.ids.push(id);
    this.#places.integer(id);
    this.#places.integer(this.bodies.length);
  }

  /** The content of the stream, where its bodies begin and whose they are; valid until the next `begin`, which begins another pack. */
  take(): { readonly content: Buffer; readonly first: number; readonly ids: Uint32Array } {
    const places = this.#places.written();
    return { content: Buffer.concat([places, this.bodies.written()]), first: places.length, ids: this.ids.taken() };
  }
}
