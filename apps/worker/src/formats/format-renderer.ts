import type {
  FoldedRowStream,
  RenderRequest,
  ReportSummary,
  ReportTypeDefinition,
  ReportWarning,
  RowStream,
} from "@reports/core/report";

import type { Brand } from "../brand/brand.ts";

export interface ByteSink {
  /** Resolves when the bytes may be overwritten. Prefer 64 KB or more. Rejects if full, or if the report was stopped. */
  write(bytes: Uint8Array): Promise<void>;
  /** Replaces written bytes from position `at`. The whole file is then read again for its digest. Compressing sinks cannot. */
  overwrite(at: number, bytes: Uint8Array): Promise<void>;
}

export interface RenderDocument {
  readonly request: RenderRequest;
  readonly definition: ReportTypeDefinition;
  readonly brand: Brand;
}

export interface RenderContext {
  /** Aborts on a cancel, deadline or shutdown. The rows are destroyed too, so a renderer that only reads rows may ignore it. */
  readonly signal: AbortSignal;
  /** Reports the number of rows, once per block. Throws above the format's limit: do not catch it. */
  onRows(rowsDone: number): void;
  /** Adds a warning for the requester, such as a value that a format cannot hold. */
  warn(warning: ReportWarning): void;
}

/** The same rows and document give the same bytes. The caller owns the sink and `rows.bytes`. */
export interface FormatRenderer {
  /** Folded summaries come only to formats that do not show them first (formatFacts). */
  render(
    rows: RowStream | FoldedRowStream,
    document: RenderDocument,
    sink: ByteSink,
    context: RenderContext,
  ): Promise<void>;
}

/** Returns the summary. A folded one is known only after the last row. */
export function summaryOf({ summary }: Pick<RowStream | FoldedRowStream, "summary">): ReportSummary {
  return typeof summary === "function" ? summary() : summary;
}
