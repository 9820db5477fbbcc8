import type { FoldedRowStream, RowStream } from "@reports/core/report";
import type { ByteBuffer } from "../wire/byte-buffer.ts";
import { readRowBlocks } from "../wire/row-blocks.ts";
import type { ByteSink, RenderContext } from "./format-renderer.ts";

/** How a text format writes rows. `encode` appends a block of whole rows of the wire form to `out`. */
export interface EncodedRows {
  readonly out: ByteBuffer;
  readonly encode: (block: Uint8Array) => void;
}

/** Writes the content of `out`, then the rows block by block. Afterwards `out` is empty, except if there were no rows. */
export async function writeEncodedRows(
  rows: RowStream | FoldedRowStream,
  { out, encode }: EncodedRows,
  sink: ByteSink,
  context: RenderContext,
): Promise<void> {
  let rowsDone = 0;
  for await (const block of readRowBlocks(rows.bytes)) {
    rowsDone += block.rows;
    context.onRows(rowsDone);
    encode(block.bytes);
    await sink.write(out.view());
    out.length = 0;
  }
}
