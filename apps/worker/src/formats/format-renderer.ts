import type { Readable } from "node:stream";
import type {
  FoldedRowStream,
  RenderRequest,
  ReportSummary,
  ReportTypeDefinition,
  ReportWarning,
  RowStream,
} from "@reports/core/report";

import type { Brand } from "../brand/brand.ts";
import type { GroupFold } from "../wire/fold-groups.ts";

export interface ByteSink {
  /** Resolves when the caller may overwrite `bytes`. Pass 64 KB or more for speed. Rejects if the file is too large or the report was stopped. */
  write(bytes: Uint8Array): Promise<void>;
  /** Replaces written bytes from file position `at` on. The sink then reads the whole file again for its digest. Rejects if the sink compresses. */
  overwrite(at: number, bytes: Uint8Array): Promise<void>;
}

export interface ScratchBuffer {
  write(bytes: Uint8Array): Promise<void>;
  /** Reads all written bytes, in chunks that the reader may free. Call it once, after the last write. */
  read(): Readable;
}

export interface DocumentInput {
  readonly request: RenderRequest;
  readonly definition: ReportTypeDefinition;
  readonly brand: Brand;
}

export interface RenderContext {
  /** Aborts on a cancel, a deadline or a shutdown. The row stream is then destroyed too, so a renderer that only reads rows may ignore the signal. */
  readonly signal: AbortSignal;
  /** Takes the number of rows so far; call it once per block. Throws above the format's row limit, and the renderer must not catch that error. */
  onRows(rowsDone: number): void;
  /** Reports the number of rows that were read before the first is written. Throws above the format's limit. */
  onRowsAhead(rowsAhead: number): void;
  /** A file for rows that are read before they are written. The caller closes it. */
  readonly scratch: ScratchBuffer;
  warn(warning: ReportWarning): void;
  /** The largest size in bytes of each size column, by column key, as a wire text. Empty if it is known only after the rows. */
  readonly largestSizes: ReadonlyMap<string, string>;
  /** The groups with their subtotals, complete after the last row. Undefined if the report has no subtotals. */
  readonly groups?: GroupFold;
}

/** Renders rows in one format. The same rows and document give the same bytes. The caller closes the sink and destroys `rows.bytes`. */
export interface FormatRenderer {
  /** Set if the format shows all sizes of a column in one unit, so it needs the largest size before the first row. */
  readonly needsLargestSizes?: true;
  /** Renders the rows. If `summaryFirst` of the format is true, `rows.summary` is never a function: the summary is known before the rows. */
  render(
    rows: RowStream | FoldedRowStream,
    document: DocumentInput,
    sink: ByteSink,
    context: RenderContext,
  ): Promise<void>;
}

/** Returns the summary of rows. If `summary` is a function, the summary is complete only after the last row has been read. */
export function resolveSummary({ summary }: Pick<RowStream | FoldedRowStream, "summary">): ReportSummary {
  return typeof summary === "function" ? summary() : summary;
}
