import { deflateSync } from "node:zlib";
import { freeMemory } from "../../wire/unshared-memory.ts";
import type { ByteSink } from "../format-renderer.ts";
import { ContentBuffer } from "./content-buffer.ts";
import type { ObjectStreamBuilder } from "./object-stream-builder.ts";
import { CrossReferenceTable } from "./cross-reference-table.ts";

const chunkBytes = 256 * 1024;
/** Deflate settings for pages and object packs, which are small. `memLevel: 6`, `windowBits: 13` or another thread would be slower. */
const deflateOptions = { level: 1, windowBits: 14, memLevel: 8, chunkSize: 8 * 1024 } as const;

/** Writes the objects of a PDF 1.7 file (ISO 32000-1 §7.5) as they are finished. Only their positions stay in memory. */
export class PdfFile {
  readonly #sink: ByteSink;
  readonly #locations = new CrossReferenceTable();
  readonly #content = new ContentBuffer(chunkBytes + 64 * 1024);
  #writtenBytes = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
    this.#content.ascii("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
  }

  allocate(many = 1): number {
    return this.#locations.allocate(many);
  }

  async write(id: number, body: string): Promise<void> {
    this.#begin(id);
    this.#content.ascii(`${body}\nendobj\n`);
    await this.#flush(chunkBytes);
  }

  /** Compresses and writes a stream. `dictionary` has the stream's entries without brackets, Length and Filter. */
  async writeStream(
    id: number,
    dictionary: string,
    content: Uint8Array,
    weight: "page" | "small" = "page",
  ): Promise<void> {
    const compressed = deflateSync(content, weight === "page" ? deflateOptions : { level: 6 });
    await this.writeCompressed(id, dictionary, compressed);
    freeMemory(compressed);
  }

  async writeCompressed(id: number, dictionary: string, compressed: Uint8Array): Promise<void> {
    await this.#writeStreamObject(id, `${dictionary}/Length ${compressed.length}/Filter/FlateDecode`, compressed);
  }

  /** Writes an uncompressed stream, which programs without a PDF parser can read. */
  async writePlainStream(id: number, dictionary: string, content: Uint8Array): Promise<void> {
    await this.#writeStreamObject(id, `${dictionary}/Length ${content.length}`, content);
  }

  async writePack(pack: ObjectStreamBuilder): Promise<void> {
    if (pack.ids.length === 0) return;
    const stream = this.allocate();
    const { content, first, ids } = pack.take();
    ids.forEach((id, index) => this.#locations.setInStream(id, stream, index));
    await this.writeStream(stream, `/Type/ObjStm/N ${ids.length}/First ${first}`, content);
    freeMemory(content);
  }

  async finish(trailer: { root: number; info: number; fileId: string }): Promise<void> {
    const id = this.allocate();
    const start = this.#position();
    this.#locations.setOffset(id, start);
    const { compressed, dictionary } = this.#locations.entries();
    const identity = `<${trailer.fileId}>`;
    await this.writeCompressed(
      id,
      `/Type/XRef${dictionary}/Root ${trailer.root} 0 R/Info ${trailer.info} 0 R/ID[${identity}${identity}]`,
      compressed,
    );
    this.#content.ascii(`startxref\n${start}\n%%EOF\n`);
    await this.#flush(0);
    this.#content.free();
  }

  async #writeStreamObject(id: number, entries: string, bytes: Uint8Array): Promise<void> {
    this.#begin(id);
    this.#content.ascii(`<<${entries}>>\nstream\n`);
    this.#content.append(bytes);
    this.#content.ascii("\nendstream\nendobj\n");
    await this.#flush(chunkBytes);
  }

  #begin(id: number): void {
    this.#locations.setOffset(id, this.#position());
    this.#content.ascii(`${id} 0 obj\n`);
  }

  #position(): number {
    return this.#writtenBytes + this.#content.length;
  }

  async #flush(threshold: number): Promise<void> {
    const { length } = this.#content;
    if (length === 0 || length < threshold) return;
    this.#writtenBytes += length;
    await this.#sink.write(this.#content.written());
  }
}

/** Returns a text string object (ISO 32000-1 §7.9.2.2) in UTF-16 with a byte order mark, which can hold any text. */
export function encodeTextString(text: string): string {
  return `<FEFF${Buffer.from(text.toWellFormed(), "utf16le").swap16().toString("hex")}>`;
}
