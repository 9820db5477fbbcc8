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
  /** Writes bytes. Resolves when the caller may overwrite them. Prefer 64 KB or more per call. Rejects if the file is too large or the report was stopped. */
  write(bytes: Uint8Array): Promise<void>;
  /** Replaces written bytes from position `at` on. The whole file is then read again for its digest. Compressing sinks reject. */
  overwrite(at: number, bytes: Uint8Array): Promise<void>;
}

export interface RenderDocument {
  readonly request: RenderRequest;
  readonly definition: ReportTypeDefinition;
  readonly brand: Brand;
}

export interface RenderContext {
  /** Aborts on a cancel, deadline or shutdown. The row stream is destroyed too, so a renderer that only reads rows may ignore the signal. */
  readonly signal: AbortSignal;
  /** Reports the number of rows so far, once per block. Throws above the format's limit; the renderer must not catch this error. */
  onRows(rowsDone: number): void;
  /** Adds a warning for the requester, for example about a value that the format cannot hold. */
  warn(warning: ReportWarning): void;
  /** Largest sizes by the key of their column, as wire texts; empty if they are known only after the rows. */
  readonly largestSizes: ReadonlyMap<string, string>;
  /** Groups with their subtotals, for formats that list them after the rows; undefined if the report has no subtotals. */
  readonly groups?: GroupFold;
}

/** Renders rows in one format. The same rows and document give the same bytes. The caller closes the sink and destroys `rows.bytes`. */
export interface FormatRenderer {
  /** Set if the format shows all sizes of a column in one unit, for which it needs the largest of them. */
  readonly needsLargestSizes?: true;
  /** Renders the rows. Their summary is a function only if the format does not show it first (formatFacts). */
  render(
    rows: RowStream | FoldedRowStream,
    document: RenderDocument,
    sink: ByteSink,
    context: RenderContext,
  ): Promise<void>;
}

/** Returns the summary of rows. A folded summary is known only after the last row. */
export function readSummary({ summary }: Pick<RowStream | FoldedRowStream, "summary">): ReportSummary {
  return typeof summary === "function" ? summary() : summary;
}
