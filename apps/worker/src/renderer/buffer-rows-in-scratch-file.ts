import type { FoldedRowStream, RowStream } from "@reports/core/report";
import { createScratchFile } from "./scratch-file.ts";

export interface BufferedRows extends RowStream {
  readonly bufferedBytes: number;
}

/**
 * Reads all rows into a scratch file, so that their number and summary are known before the first row is written. The file is freed when the returned bytes
 * are destroyed or the process ends. Rejects with the error of the rows, SPOOL_LIMIT_EXCEEDED, or HostFailureError.
 */
export async function bufferRowsInScratchFile(
  rows: FoldedRowStream,
  place: { readonly path: string; readonly maxBytes: number; readonly onRows: (rowsPassed: number) => void },
): Promise<BufferedRows> {
  const file = createScratchFile(place.path, { maxBytes: place.maxBytes, otherBytes: () => 0 });
  try {
    for await (const chunk of rows.bytes as AsyncIterable<Buffer>) {
      place.onRows(rows.rowsPassed());
      await file.write(chunk);
    }
    place.onRows(rows.rowsPassed());
    const { columns, dataAsOf, warnings = [] } = rows;
    const facts = { columns, dataAsOf, warnings, rowsTotal: rows.rowsPassed(), summary: rows.summary() };
    return { ...facts, bytes: file.read(), bufferedBytes: file.sizeBytes() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
