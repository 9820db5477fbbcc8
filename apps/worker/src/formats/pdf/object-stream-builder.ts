import { ContentBuffer } from "./content-buffer.ts";
import { Uint32List } from "./uint32-list.ts";

/** Gathers many small objects, which are written in one compressed object stream (ISO 32000-1 §7.5.7). */
export class ObjectStreamBuilder {
  readonly bodies: ContentBuffer;
  readonly ids = new Uint32List();
  readonly #index: ContentBuffer;

  /** `expectedBytes` is the expected size of all bodies, about 40 bytes per object. */
  constructor(expectedBytes: number) {
    this.bodies = new ContentBuffer(expectedBytes);
    this.#index = new ContentBuffer(expectedBytes / 3);
  }

  /** Begins an object. Its body is everything that is written to `bodies` until the next call. */
  begin(id: number): void {
    this.ids.push(id);
    this.#index.integer(id);
    this.#index.integer(this.bodies.length);
  }

  free(): void {
    this.bodies.free();
    this.#index.free();
  }

  take(): { readonly content: Buffer; readonly first: number; readonly ids: Uint32Array } {
    const index = this.#index.written();
    const bodies = this.bodies.written();
    const content = Buffer.allocUnsafeSlow(index.length + bodies.length);
    content.set(index);
    content.set(bodies, index.length);
    return { content, first: index.length, ids: this.ids.taken() };
  }
}
