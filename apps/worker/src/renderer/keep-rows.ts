import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  keptRowsPathOf,
  type KeptRowsHeader,
  type RenderRequest,
  type RowStream,
  type SpooledRows,
} from "@reports/core/report";
import { compressInto } from "./compressed-sink.ts";
import { openSpool } from "./spool-writer.ts";

/** Rows that are kept on their way to a file. Exactly one of `finish` and `discard` ends them. */
export interface RowsKept {
  /** The rows as they came. */
  readonly bytes: Readable;
  /** How much of the scratch space they take so far. */
  sizeBytes(): number;
  /** Once `bytes` were read to their end. */
  finish(): Promise<SpooledRows>;
  /** Removes what was kept. Never rejects. */
  discard(): Promise<void>;
}

/**
 * Writes the rows to a file beside the spool file while they are read: one line of JSON that says what they are, then the rows, zstd-compressed.
 * `besideBytes` is what else the attempt takes of the scratch space. Rejects, and breaks the rows, as openSpool does.
 */
export async function keepRows(
  rows: RowStream,
  { spoolPath, maxSpoolBytes }: RenderRequest,
  place: { readonly definitionVersion: number; readonly besideBytes: () => number; readonly signal: AbortSignal },
): Promise<RowsKept> {
  const { besideBytes, signal } = place;
  const spool = await openSpool(keptRowsPathOf(spoolPath), { maxBytes: maxSpoolBytes, besideBytes, signal });
  const sink = compressInto(spool, "zstd");
  const hash = createHash("sha256");
  const header: KeptRowsHeader = {
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
