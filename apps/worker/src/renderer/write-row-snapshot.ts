import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  rowSnapshotPathOf,
  type RowSnapshotHeader,
  type RenderRequest,
  type RowStream,
  type SpooledRows,
} from "@reports/core/report";
import { createCompressedSink } from "./compressed-sink.ts";
import { openSpoolFile } from "./spool-writer.ts";

/** A row snapshot that is being written. The caller ends it by exactly one of `finish` and `discard`. */
export interface RowSnapshotWriter {
  readonly bytes: Readable;
  sizeBytes(): number;
  /** May be called only after all of `bytes` has been read. */
  finish(): Promise<SpooledRows>;
  discard(): Promise<void>;
}

/**
 * Returns a writer whose `bytes` are the rows. While `bytes` is read, the rows are written to a zstd file in the spool. Rejects as `openSpoolFile`
 * does; a failed write destroys `bytes`.
 */
export async function writeRowSnapshot(
  rows: RowStream,
  { spoolPath, maxSpoolBytes }: RenderRequest,
  place: { readonly definitionVersion: number; readonly otherBytes: () => number; readonly signal: AbortSignal },
): Promise<RowSnapshotWriter> {
  const { otherBytes, signal } = place;
  const spool = await openSpoolFile(rowSnapshotPathOf(spoolPath), { maxBytes: maxSpoolBytes, otherBytes, signal });
  const sink = createCompressedSink(spool, "zstd");
  const hash = createHash("sha256");
  const header: RowSnapshotHeader = {
    columns: rows.columns,
    definitionVersion: place.definitionVersion,
    timezone: "UTC",
    dataAsOf: rows.dataAsOf.toISOString(),
    rowsTotal: rows.rowsTotal,
    summary: rows.summary,
    warnings: rows.warnings ?? [],
  };
  async function* passing(): AsyncGenerator<Buffer> {
    await sink.write(Buffer.from(`${JSON.stringify(header)}\n`));
    for await (const chunk of rows.bytes as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await sink.write(chunk);
      yield chunk;
    }
  }
  return {
    bytes: Readable.from(passing(), { objectMode: true, highWaterMark: 2 }),
    sizeBytes: () => spool.sizeBytes(),
    async finish() {
      await sink.finish();
      return { ...(await spool.finish()), dataSha256: hash.digest("hex") };
    },
    async discard() {
      sink.discard();
      await spool.discard();
    },
  };
}
