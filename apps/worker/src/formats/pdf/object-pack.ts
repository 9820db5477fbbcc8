import { ContentBuffer } from "./content-buffer.ts";

/** Objects that are to be written together, compressed, in one object stream (ISO 32000-1 §7.5.7): many and small. */
export class ObjectPack {
  /** The bodies, each followed by white space. */
  readonly bodies = new ContentBuffer();
  /** Object numbers, in the order of the bodies. */
  ids: number[] = [];
  readonly #places = new ContentBuffer();

  /** Begins the object; whatever is written to `bodies` until the next call is its body. */
  begin(id: number): void {
    this.ids.push(id);
    this.#places.integer(id);
    this.#places.integer(this.bodies.length);
  }

  /** The content of the stream and where its bodies begin; valid until the next `begin`, which begins another pack. */
  take(): { readonly content: Buffer; readonly first: number; readonly ids: readonly number[] } {
    const places = this.#places.written();
    const { ids } = this;
    this.ids = [];
    return { content: Buffer.concat([places, this.bodies.written()]), first: places.length, ids };
  }
}
