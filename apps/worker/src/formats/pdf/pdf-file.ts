import { deflateSync } from "node:zlib";
import type { ByteSink } from "../format-renderer.ts";
import type { ObjectPack } from "./object-pack.ts";
import { ObjectPlaces } from "./object-places.ts";

const chunkBytes = 256 * 1024;
const endOfStream = Buffer.from("\nendstream\n", "latin1");
/**
 * Pages are small and many: a small window costs no size and saves most of the time, which goes into setting zlib up.
 * On another thread each would take longer than here.
 */
const pageDeflate = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 8 * 1024 } as const;

/**
 * The objects of one PDF 1.7 file (ISO 32000-1 §7.5), written as they are finished; of those written only the places are kept.
 * Objects may be written in any order.
 */
export class PdfFile {
  readonly #sink: ByteSink;
  readonly #places = new ObjectPlaces();
  #chunks: Uint8Array[] = [];
  #chunkLength = 0;
  #position = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
    this.#append(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
  }

  /** Takes the next object number, or the first of so many; their objects are written later, or now. */
  allocate(many = 1): number {
    return this.#places.allocate(many);
  }

  /** Writes an object that is not a stream. */
  async write(id: number, body: string): Promise<void> {
    this.#writeNow(id, Buffer.from(`${body}\n`, "latin1"));
    await this.#flush(chunkBytes);
  }

  /** Compresses and writes a stream; `dictionary` holds its entries without the brackets, Length and Filter. */
  async writeStream(
    id: number,
    dictionary: string,
    content: Uint8Array,
    weight: "page" | "small" = "page",
  ): Promise<void> {
    await this.writeCompressed(id, dictionary, deflateSync(content, weight === "page" ? pageDeflate : { level: 6 }));
  }

  /** Writes a stream that was compressed before. */
  async writeCompressed(id: number, dictionary: string, compressed: Uint8Array): Promise<void> {
    const head = Buffer.from(`<<${dictionary}/Length ${compressed.length}/Filter/FlateDecode>>\nstream\n`, "latin1");
    this.#writeNow(id, head, compressed, endOfStream);
    await this.#flush(chunkBytes);
  }

  /** Writes a stream that is to be read by programs that know nothing of PDF. */
  async writePlainStream(id: number, dictionary: string, content: Uint8Array): Promise<void> {
    const head = Buffer.from(`<<${dictionary}/Length ${content.length}>>\nstream\n`, "latin1");
    this.#writeNow(id, head, content, endOfStream);
    await this.#flush(chunkBytes);
  }

  /** Writes the objects of a pack, which is empty afterwards. */
  async writePack(pack: ObjectPack): Promise<void> {
    if (pack.ids.length === 0) return;
    const stream = this.allocate();
    const { content, first, ids } = pack.take();
    ids.forEach((id, index) => this.#places.setInStream(id, stream, index));
    await this.writeStream(stream, `/Type/ObjStm/N ${ids.length}/First ${first}`, content);
  }

  /** Writes the cross-reference stream, which is the trailer as well. */
  async finish(trailer: { root: number; info: number; fileId: string }): Promise<void> {
    const id = this.allocate();
    const start = this.#position;
    this.#places.setOffset(id, start);
    const { compressed, dictionary } = this.#places.entries();
    const identity = `<${trailer.fileId}>`;
    await this.writeCompressed(
      id,
      `/Type/XRef${dictionary}/Root ${trailer.root} 0 R/Info ${trailer.info} 0 R/ID[${identity}${identity}]`,
      compressed,
    );
    this.#append(Buffer.from(`startxref\n${start}\n%%EOF\n`, "latin1"));
    await this.#flush(0);
  }

  #writeNow(id: number, ...body: readonly Uint8Array[]): void {
    this.#places.setOffset(id, this.#position);
    this.#append(Buffer.from(`${id} 0 obj\n`, "latin1"));
    for (const part of body) this.#append(part);
    this.#append(Buffer.from("endobj\n", "latin1"));
  }

  #append(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#chunkLength += bytes.length;
    this.#position += bytes.length;
  }

  async #flush(threshold: number): Promise<void> {
    if (this.#chunkLength === 0 || this.#chunkLength < threshold) return;
    const bytes = Buffer.concat(this.#chunks, this.#chunkLength);
    this.#chunks = [];
    this.#chunkLength = 0;
    await this.#sink.write(bytes);
  }
}

/** A text string object (ISO 32000-1 §7.9.2.2) in UTF-16 with its mark, so that it holds any text. */
export function textString(text: string): string {
  return `<FEFF${Buffer.from(text.toWellFormed(), "utf16le").swap16().toString("hex")}>`;
}
