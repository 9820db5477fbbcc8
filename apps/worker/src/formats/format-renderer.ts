import type {
  FoldedRowStream,
  RenderRequest,
  ReportSummary,
  ReportTypeDefinition,
  ReportWarning,
  RowStream,
} from "@reports/core/report";

import type { Brand } from "../brand/brand.ts";

/** Where a renderer puts the bytes of its file. */
export interface ByteSink {
  /**
   * Resolves when the bytes have been taken and may be overwritten, and when more may come, which is the backpressure.
   * Large chunks (64 KB and more) are cheap, small ones are not. Rejects when the file has no room or the report was stopped.
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Replaces bytes that were written, from the position `at` on. The file is then read again for its digest: for exceptions only. A sink
   * that compresses cannot.
   */
  overwrite(at: number, bytes: Uint8Array): Promise<void>;
}

/** What a document is made of beside its rows. */
export interface RenderDocument {
  readonly request: RenderRequest;
  readonly definition: ReportTypeDefinition;
  readonly brand: Brand;
}

/** What goes back and forth while a document is made. */
export interface RenderContext {
  /** Aborted by a cancel, a deadline or a shutdown; also destroys the rows, so that a renderer that only reads rows may ignore it. */
  readonly signal: AbortSignal;
  /**
   * Tells how many rows have been taken from the stream so far; call it once a block of rows, not once a row.
   * Throws when the report has more rows than its format carries: let it through.
   */
  onRows(rowsDone: number): void;
  /** Something the requester should know about this file, such as a value that a format cannot hold. */
  warn(warning: ReportWarning): void;
}

/**
 * One format. Pure: the same rows and document give the same bytes; no state outlives the call, and the sink is neither opened nor
 * closed here. Rows come from `rowBlocks` or `readRows`; the caller destroys `rows.bytes` whatever happens.
 */
export interface FormatRenderer {
  /** Rows whose summary is folded come only to a format that does not show it first (formatFacts). */
  render(
    rows: RowStream | FoldedRowStream,
    document: RenderDocument,
    sink: ByteSink,
    context: RenderContext,
  ): Promise<void>;
}

/** What rows amount to. Of rows that are folded it is known once they were read to their end. */
export function summaryOf({ summary }: Pick<RowStream | FoldedRowStream, "summary">): ReportSummary {
  return typeof summary === "function" ? summary() : summary;
}
