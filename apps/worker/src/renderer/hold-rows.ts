import { open, rm, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FoldedRowStream, RowStream } from "@reports/core/report";
import { spoolErrorOf, tooManyBytes, toSpoolError } from "./spool-writer.ts";

const readBytes = 256 * 1024;

/** Rows that are all there, and the scratch space that they take. */
export interface HeldRows extends RowStream {
  readonly heldBytes: number;
}

/**
 * Reads rows to their end into a file beside the spool file, so that their number and summary are known before the first of them is shown.
 * The file has no name: its space is given back when the bytes are destroyed, and whatever becomes of this process. `onRows` is told how many rows there are so far.
 * Rejects with what the rows end with, SPOOL_LIMIT_EXCEEDED, or HostFailureError where the disk fails.
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
    // The space is also released if the bytes are destroyed before they were read.
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
