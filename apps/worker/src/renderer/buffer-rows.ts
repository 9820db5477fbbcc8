import { open, rm, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FoldedRowStream, RowStream } from "@reports/core/report";
import { createSpoolError, spoolLimitError, toSpoolError } from "./spool-writer.ts";

const readChunkBytes = 256 * 1024;

export interface BufferedRows extends RowStream {
  readonly bufferedBytes: number;
}

/**
 * Reads all rows into an unnamed file on the spool disk, so that their number and summary are known before the first row is written. The file is
 * freed when the returned bytes are destroyed or the process ends. Rejects with the error of the rows, SPOOL_LIMIT_EXCEEDED, or HostFailureError.
 */
export async function bufferRows(
  rows: FoldedRowStream,
  place: { readonly path: string; readonly maxBytes: number; readonly onRows: (rowsPassed: number) => void },
): Promise<BufferedRows> {
  const handle = await open(place.path, "wx+", 0o600).catch(async (error: unknown) => {
    throw await createSpoolError(null, place.path, error);
  });
  try {
    await rm(place.path).catch((error: unknown) => Promise.reject(toSpoolError(error)));
    const bufferedBytes = await writeAll(handle, rows, place);
    const { columns, dataAsOf, warnings = [] } = rows;
    const buffered = handle.createReadStream({ start: 0, highWaterMark: readChunkBytes });
    const bytes = Readable.from(readBuffered(buffered), { objectMode: true, highWaterMark: 2 });
    // Closes the file even if the bytes are destroyed unread. Only that frees its disk space.
    bytes.once("close", () => buffered.destroy());
    return { columns, dataAsOf, warnings, rowsTotal: rows.rowsPassed(), summary: rows.summary(), bytes, bufferedBytes };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

async function* readBuffered(buffered: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* buffered;
  } catch (error) {
    throw toSpoolError(error);
  }
}

async function writeAll(
  handle: FileHandle,
  { bytes, rowsPassed }: FoldedRowStream,
  { path, maxBytes, onRows }: Parameters<typeof bufferRows>[1],
): Promise<number> {
  let bufferedBytes = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    onRows(rowsPassed());
    bufferedBytes += chunk.length;
    if (bufferedBytes > maxBytes) throw spoolLimitError(maxBytes, bufferedBytes);
    await handle.writeFile(chunk).catch(async (error: unknown) => {
      throw await createSpoolError(handle, path, error);
    });
  }
  onRows(rowsPassed());
  return bufferedBytes;
}
