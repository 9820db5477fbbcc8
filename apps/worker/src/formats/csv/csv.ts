import { Buffer } from "node:buffer";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendCsvCell } from "./csv-cell.ts";
import { createCsvEncoder } from "./csv-encoder.ts";
import type { FormatRenderer } from "../format-renderer.ts";
import { writeEncodedRows } from "../write-encoded.ts";

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns the renderer of csv (RFC 4180, UTF-8): a header of column keys, then rows, each ended by CRLF. The deployment sets `formulaGuard`. */
export function createCsvRenderer(settings: { readonly formulaGuard: boolean }): FormatRenderer {
  return {
    async render(rows, { request }, sink, context) {
      const out = new ByteBuffer(64 * 1024);
      if (request.options.csvBom) out.append(byteOrderMark);
      appendHeader(
        out,
        rows.columns.map((column) => column.key),
      );
      const encode = createCsvEncoder(rows.columns, out, {
        formulaGuard: settings.formulaGuard,
        timezone: request.options.timezone,
      });
      await writeEncodedRows(rows, { out, encode }, sink, context);
      // If there are no rows, the header is still in the buffer, because only rows flush the buffer.
      await sink.write(out.view());
    },
  };
}

function appendHeader(out: ByteBuffer, keys: readonly string[]): void {
  for (const [index, key] of keys.entries()) {
    if (index > 0) out.appendText(",");
    const cell = Buffer.from(key, "utf8");
    appendCsvCell(out, cell, cell.length, false);
  }
  out.appendText("\r\n");
}
