import { ByteBuffer } from "../../wire/byte-buffer.ts";
import type { FormatRenderer } from "../format-renderer.ts";
import { createJsonEncoder } from "./json-encoder.ts";
import { rowBlocks } from "../../wire/row-blocks.ts";
import { scanFields } from "../../wire/scan-fields.ts";

const startBytes = 640 * 1024;

/** One JSON object a row and a line, nothing else: without rows the file is empty. */
export const ndjsonRenderer: FormatRenderer = {
  async render(rows, _document, sink, context) {
    const out = new ByteBuffer(startBytes);
    const encoder = createJsonEncoder(rows.columns, out);
    let rowsDone = 0;
    for await (const block of rowBlocks(rows.bytes)) {
      rowsDone += block.rows;
      context.onRows(rowsDone);
      scanFields(block.bytes, rows.columns.length, encoder);
      await sink.write(out.view());
      out.length = 0;
    }
  },
};
