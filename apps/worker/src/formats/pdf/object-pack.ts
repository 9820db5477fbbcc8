import { ContentBuffer } from "./content-buffer.ts";
import { IntegerList } from "./integer-list.ts";

/** Objects that are to be written together, compressed, in one object stream (ISO 32000-1 §7.5.7): many and small. */
export class ObjectPack {
  /** The bodies, each followed by white space. */
  readonly bodies: ContentBuffer;
  /** Object numbers, in the order of the bodies. */
  readonly ids = new IntegerList();
  readonly #places: ContentBuffer;

  /** @param expectedBytes of bodies, which are of some 40 bytes each. */
  constructor(expectedBytes: number) {
    this.bodies = new ContentBuffer(expectedBytes);
    this.#places = new ContentBuffer(expectedBytes / 3);
  }

  /** Begins the object; whatever is written to `bodies` until the next call is its body. */
  begin(id: number): void {
    this.ids.push(id);
    this.#places.integer(id);
    this.#places.integer(this.bodies.length);
  }

  /** Gives the memory back; nothing may be written any more. */
  free(): void {
    this.bodies.free();
    this.#places.free();
  }

  /** The content of the stream, in memory of its own, where its bodies begin and whose they are. The next `begin` begins another pack. */
  take(): { readonly content: Buffer; readonly first: number; readonly ids: Uint32Array } {
    const places = this.#places.written();
    const bodies = this.bodies.written();
    const content = Buffer.allocUnsafeSlow(places.length + bodies.length);
    content.set(places);
    content.set(bodies, places.length);
    return { content, first: places.length, ids: this.ids.taken() };
  }
}
