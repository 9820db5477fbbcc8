import { open, rm, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FoldedRowStream, RowStream } from "@reports/core/report";
import { spoolErrorOf, tooManyBytes, toSpoolError } from "./spool-writer.ts";

const readBytes = 256 * 1024;

export interface HeldRows extends RowStream {
  readonly heldBytes: number;
}

/**
 * Reads all rows into an unnamed file next to the spool file, so that their number and summary are known before the first is shown. The space is freed when the
 * bytes are destroyed or the process ends. `onRows` receives the number of rows so far. Rejects with the rows' error, SPOOL_LIMIT_EXCEEDED, or HostFailureError.
 */
export async function holdRows(
  rows: FoldedRowStream,
  place: { readonly path: string; readonly maxBytes: number; readonly onRows: (rowsPassed: number) => void },
): Promise<HeldRows> {
  const handle = await open(place.path, "wx+", 0o600).catch(async (error: unknown) => {
    throw await spoolErrorOf(null, place.path, error);
  });
  try {
    await rm(place.path).catch((error: unknown) => Promise.reject(toSpoolError(error)));
    const heldBytes = await writeAll(handle, rows, place);
    const { columns, dataAsOf, warnings = [] } = rows;
    const held = handle.createReadStream({ start: 0, highWaterMark: readBytes });
    const bytes = Readable.from(readHeld(held), { objectMode: true, highWaterMark: 2 });
    // Frees the space also if the bytes are destroyed unread.
    bytes.once("close", () => held.destroy());
    return { columns, dataAsOf, warnings, rowsTotal: rows.rowsPassed(), summary: rows.summary(), bytes, heldBytes };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

async function* readHeld(held: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* held;
  } catch (error) {
    throw toSpoolError(error);
  }
}

async function writeAll(
  handle: FileHandle,
  { bytes, rowsPassed }: FoldedRowStream,
  { path, maxBytes, onRows }: Parameters<typeof holdRows>[1],
): Promise<number> {
  let heldBytes = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    onRows(rowsPassed());
    heldBytes += chunk.length;
    if (heldBytes > maxBytes) throw tooManyBytes(maxBytes, heldBytes);
    await handle.writeFile(chunk).catch(async (error: unknown) => {
      throw await spoolErrorOf(handle, path, error);
    });
  }
  onRows(rowsPassed());
  return heldBytes;
}
