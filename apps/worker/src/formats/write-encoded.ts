import type { FoldedRowStream, RowStream } from "@reports/core/report";
import type { ByteBuffer } from "../wire/byte-buffer.ts";
import { readRowBlocks } from "../wire/row-blocks.ts";
import type { ByteSink, RenderContext } from "./format-renderer.ts";

export interface BufferedEncoder {
  readonly out: ByteBuffer;
  readonly encode: (block: Uint8Array) => void;
}

/** Encodes rows block by block and writes `out` after each block. `out` may begin with a header, which stays there if there are no rows. */
export async function writeEncodedRows(
  rows: RowStream | FoldedRowStream,
  { out, encode }: BufferedEncoder,
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
