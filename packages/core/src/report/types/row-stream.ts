import type { Readable } from "node:stream";
import type { ReportColumn } from "./column.ts";
import type { ReportSummary } from "./summary.ts";
import type { ReportWarning } from "./warning.ts";

/**
 * A report's rows in the wire form of every renderer: the bytes of Postgres's `COPY … TO STDOUT (FORMAT csv)`, UTF-8, without a header. Commas
 * separate fields, LF ends rows. A null is an empty unquoted field, an empty string is `""`; fields with a comma, quote, CR or LF are quoted, with
 * quotes doubled. Chunks can end anywhere, even within a character.
 */
export interface RowStream {
  readonly columns: readonly ReportColumn[];
  /** Time of the snapshot of rows and summary. For a replica, the time up to which it had replayed its primary. */
  readonly dataAsOf: Date;
  readonly warnings?: readonly ReportWarning[];
  /** Number of rows, counted in the snapshot; null if counting is as expensive as reading. */
  readonly rowsTotal: number | null;
  readonly summary: ReportSummary;
  /** The bytes of the rows. The consumer destroys the stream, which ends the query. The reader of a chunk owns it and may free its memory. */
  readonly bytes: Readable;
}

/** Rows whose summary is computed while they are read, because their source cannot be read twice. */
export interface FoldedRowStream extends Omit<RowStream, "summary"> {
  /** Returns the summary. Throws unless `bytes` has been read completely. */
  readonly summary: () => ReportSummary;
  readonly rowsPassed: () => number;
}
