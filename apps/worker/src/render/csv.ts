import { Buffer } from "node:buffer";
import { ByteBuffer } from "./byte-buffer.ts";
import { appendCell, createCsvEncoder } from "./csv-encoder.ts";
import type { FormatRenderer } from "./format-renderer.ts";
import { rowBlocks } from "./row-blocks.ts";
import { scanFields } from "./scan-fields.ts";

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const startBytes = 320 * 1024;

/** csv after RFC 4180: a header of column keys, CRLF, UTF-8. The formula guard is the deployment's choice, never the caller's. */
export function createCsvRenderer(settings: { readonly formulaGuard: boolean }): FormatRenderer {
  return {
    format: "csv",
    async render(rows, { request }, sink, context) {
      const out = new ByteBuffer(startBytes);
      if (request.options.csvBom) out.append(byteOrderMark);
      appendHeader(
        out,
        rows.columns.map((column) => column.key),
      );
      const encoder = createCsvEncoder(rows.columns, out, settings.formulaGuard);
      let rowsDone = 0;
      for await (const block of rowBlocks(rows.bytes)) {
        rowsDone += block.rows;
        context.onRows(rowsDone);
        scanFields(block.bytes, rows.columns.length, encoder);
        await sink.write(out.take());
      }
      if (out.length > 0) await sink.write(out.take());
    },
  };
}

function appendHeader(out: ByteBuffer, keys: readonly string[]): void {
  const cell = new ByteBuffer(256);
  for (const [index, key] of keys.entries()) {
    if (index > 0) out.appendText(",");
    cell.length = 0;
    cell.appendText(key);
    appendCell(out, cell, false);
  }
  out.appendText("\r\n");
}
