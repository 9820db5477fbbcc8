import { ByteBuffer } from "../../wire/byte-buffer.ts";
import type { FormatRenderer } from "../format-renderer.ts";
import { createJsonEncoder } from "./json-encoder.ts";
import { writeEncodedRows } from "../write-encoded.ts";
import { scanFields } from "../../wire/scan-fields.ts";

const initialBufferBytes = 640 * 1024;

export const ndjsonRenderer: FormatRenderer = {
  async render(rows, { request }, sink, context) {
    const out = new ByteBuffer(initialBufferBytes);
    const encoder = createJsonEncoder(rows.columns, out, { timezone: request.options.timezone });
    const encode = (block: Uint8Array): void => scanFields(block, rows.columns.length, encoder);
    await writeEncodedRows(rows, { out, encode }, sink, context);
  },
};
