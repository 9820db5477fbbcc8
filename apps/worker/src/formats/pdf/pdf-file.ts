import { deflateSync } from "node:zlib";
import type { ByteSink } from "../format-renderer.ts";

const chunkBytes = 256 * 1024;
/**
 * Pages are small and many: a small window costs no size and saves most of the time, which goes into setting zlib up.
 * On another thread each would take longer than here.
 */
const pageDeflate = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 8 * 1024 } as const;

/**
 * The objects of one PDF 1.7 file (ISO 32000-1 §7.5), written as they are finished; of those written only the offsets are kept.
 * Objects may be written in any order.
 */
export class PdfFile {
  readonly #sink: ByteSink;
  readonly #offsets: number[] = [0];
  #chunks: Uint8Array[] = [];
  #chunkLength = 0;
  #position = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
    this.#append(Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
  }

  /** Takes the next object number; its object is written later, or now. */
  allocate(): number {
    return this.#offsets.push(-1) - 1;
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
    const compressed = deflateSync(content, weight === "page" ? pageDeflate : { level: 6 });
    const head = Buffer.from(`<<${dictionary}/Length ${compressed.length}/Filter/FlateDecode>>\nstream\n`, "latin1");
    this.#writeNow(id, head, compressed, Buffer.from("\nendstream\n", "latin1"));
    await this.#flush(chunkBytes);
  }

  /** Writes the cross-reference table and the trailer. */
  async finish(trailer: { root: number; info: number; fileId: string }): Promise<void> {
    const start = this.#position;
    const lines = this.#offsets.map((offset, id) =>
      id === 0 || offset < 0 ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`,
    );
    this.#append(Buffer.from(`xref\n0 ${lines.length}\n${lines.join("")}`, "latin1"));
    const identity = `<${trailer.fileId}>`;
    this.#append(
      Buffer.from(
        `trailer\n<</Size ${lines.length}/Root ${trailer.root} 0 R/Info ${trailer.info} 0 R/ID[${identity}${identity}]>>\nstartxref\n${start}\n%%EOF\n`,
        "latin1",
      ),
    );
    await this.#flush(0);
  }

  #writeNow(id: number, ...body: readonly Uint8Array[]): void {
    this.#offsets[id] = this.#position;
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
