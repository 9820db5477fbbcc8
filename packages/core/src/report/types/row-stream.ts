import type { Readable } from "node:stream";
import type { ReportColumn } from "./column.ts";
import type { ReportSummary } from "./summary.ts";
import type { ReportWarning } from "./warning.ts";

/**
 * A report's rows in the wire form of every renderer: the bytes of Postgres's `COPY … TO STDOUT (FORMAT csv)`, UTF-8,
 * without a header. Commas separate fields, LF ends rows. A null is an empty unquoted field, an empty string is `""`;
 * fields with a comma, quote, CR or LF are quoted, with quotes doubled. Chunks end anywhere, also within a character.
 */
export interface RowStream {
  /** In field order. */
  readonly columns: readonly ReportColumn[];
  /** The time of the snapshot of rows and summary; of a replica, how far it had replayed its primary. */
  readonly dataAsOf: Date;
  /** Warnings for readers of the report. */
  readonly warnings?: readonly ReportWarning[];
  /** Counted in the snapshot; null if counting costs as much as reading. */
  readonly rowsTotal: number | null;
  /** Empty if the type defines none. */
  readonly summary: ReportSummary;
  /** The consumer destroys it, which ends the query. The reader of a chunk may free its memory. */
  readonly bytes: Readable;
}

/** Rows whose summary is folded while they pass, because their source cannot be read twice. */
export interface FoldedRowStream extends Omit<RowStream, "summary"> {
  /** Throws until `bytes` were read completely. */
  readonly summary: () => ReportSummary;
  readonly rowsPassed: () => number;
}
