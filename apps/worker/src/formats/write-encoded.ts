import type { FoldedRowStream, RowStream } from "@reports/core/report";
import type { ByteBuffer } from "../wire/byte-buffer.ts";
import { rowBlocks } from "../wire/row-blocks.ts";
import type { ByteSink, RenderContext } from "./format-renderer.ts";

/** How rows of a text format are written: `encode` appends a block of whole rows, as COPY gives them, to `out`. */
export interface EncodedRows {
  readonly out: ByteBuffer;
  readonly encode: (block: Uint8Array) => void;
}

/** Writes the rows block by block, and with the first what `out` held before. Leaves `out` empty, but for that where there are no rows. */
export async function writeEncoded(
  rows: RowStream | FoldedRowStream,
  { out, encode }: EncodedRows,
  sink: ByteSink,
  context: RenderContext,
): Promise<void> {
  let rowsDone = 0;
  for await (const block of rowBlocks(rows.bytes)) {
    rowsDone += block.rows;
    context.onRows(rowsDone);
    encode(block.bytes);
    await sink.write(out.view());
    out.length = 0;
  }
}
