import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { PermanentReportError } from "@reports/core/base";
import {
  toCurrentName,
  type RowSnapshotHeader,
  type ReportColumn,
  type ReportOptions,
  type RowStream,
} from "@reports/core/report";
import { selectShownColumnKeys, selectLinkAndCurrencyKeys } from "../formats/group-rows.ts";
import { selectWireColumns } from "../wire/select-wire-columns.ts";
import { toSpoolError } from "./spool-writer.ts";

const lineFeed = 0x0a;
/** Limit of the header in bytes. The header of a real row snapshot is far smaller: its summary has at most a few hundred rows. */
const maxHeaderBytes = 16 * 1024 * 1024;
const chunkBytes = 256 * 1024;

/**
 * Opens a row snapshot. Columns of earlier versions get their current keys. Columns of subtotals that are newer than the snapshot are left out.
 * Rejects with ROWS_LOST if the file is not a row snapshot, and with INVALID_DATA if a shown column is newer.
 */
export async function openRowSnapshot(
  path: string,
  options: Pick<ReportOptions, "columns" | "groupBy" | "format">,
  {
    formerKeys,
    ofSubtotals,
  }: { readonly formerKeys: Readonly<Record<string, string>>; readonly ofSubtotals: readonly string[] },
): Promise<RowStream> {
  const plain = createZstdDecompress({ chunkSize: chunkBytes });
  pipeline(createReadStream(path, { highWaterMark: chunkBytes }), plain, () => undefined);
  const chunks = plain[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  try {
    const { header, rest } = await readHeader(chunks);
    const stored = renameColumns(header.columns, formerKeys);
    // The snapshot's own columns say which column holds a link. The report type may have changed its links since.
    const keys = [...selectShownColumnKeys(options), ...selectLinkAndCurrencyKeys(options, { columns: stored })];
    const further = ofSubtotals.filter((key) => !keys.includes(key));
    const columns = [
      ...keys.map((key) => requireColumn(stored, key)),
      ...further.flatMap((key) => stored.filter((column) => column.key === key)),
    ];
    const { attention } = header.summary;
    const bytes = Readable.from(copyChunks(chunks, rest), { objectMode: true, highWaterMark: 2 });
    bytes.once("close", () => plain.destroy());
    return {
      columns,
      dataAsOf: new Date(header.dataAsOf),
      rowsTotal: header.rowsTotal,
      summary: {
        ...header.summary,
        attention: attention && { ...attention, columns: renameColumns(attention.columns, formerKeys) },
      },
      warnings: header.warnings,
      bytes: selectWireColumns(bytes, { from: stored, to: columns }),
    };
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

async function readHeader(
  chunks: AsyncIterator<Buffer, undefined>,
): Promise<{ readonly header: RowSnapshotHeader; readonly rest: Buffer }> {
  let seen = Buffer.alloc(0);
  while (seen.length < maxHeaderBytes) {
    const { value } = await chunks.next().catch((error: unknown) => {
      throw notRowSnapshotError(error);
    });
    if (value === undefined) break;
    const before = seen.length;
    seen = Buffer.concat([seen, value]);
    const end = seen.indexOf(lineFeed, before);
    if (end === -1) continue;
    // A worker wrote this header and the digest of the file matched, so the header is trusted like a row of the database.
    return { header: JSON.parse(seen.toString("utf8", 0, end)) as RowSnapshotHeader, rest: seen.subarray(end + 1) };
  }
  throw notRowSnapshotError();
}

/** Copies each chunk into its own memory. The reader frees the memory of each chunk, and chunks of the decompressor share memory. */
async function* copyChunks(chunks: AsyncIterator<Buffer, undefined>, rest: Buffer): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield copyBytes(rest);
  for (;;) {
    const { value } = await chunks.next().catch((error: unknown) => Promise.reject(toSpoolError(error)));
    if (value === undefined) return;
    yield copyBytes(value);
  }
}

function copyBytes(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

function renameColumns(
  columns: readonly ReportColumn[],
  formerKeys: Readonly<Record<string, string>>,
): readonly ReportColumn[] {
  return columns.map((column) => ({
    ...column,
    key: toCurrentName(formerKeys, column.key),
    ...(column.link && { link: { column: toCurrentName(formerKeys, column.link.column) } }),
    ...(typeof column.currency === "object" && {
      currency: { column: toCurrentName(formerKeys, column.currency.column) },
    }),
  }));
}

function requireColumn(columns: readonly ReportColumn[], key: string): ReportColumn {
  const column = columns.find((candidate) => candidate.key === key);
  if (column !== undefined) return column;
  throw new PermanentReportError(
    "INVALID_DATA",
    `The column ${key} is newer than the rows that the report has kept. Start the report again.`,
  );
}

function notRowSnapshotError(cause?: unknown): Error {
  // The file was complete when it was fetched, so a read error of the disk does not mean that the row snapshot is damaged.
  if (cause !== undefined && "syscall" in (cause as object)) return toSpoolError(cause);
  return new PermanentReportError("ROWS_LOST", "The stored object is not the row snapshot of the report.", cause);
}
