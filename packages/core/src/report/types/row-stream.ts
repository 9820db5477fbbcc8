import type { Readable } from "node:stream";
import type { ReportColumn } from "./column.ts";
import type { ReportSummary } from "./summary.ts";
import type { ReportWarning } from "./warning.ts";

/**
 * The rows of one report in the one wire form that every renderer reads: the bytes that Postgres's
 * `COPY … TO STDOUT (FORMAT csv)` gives, UTF-8, without a header. Fields are separated by commas, rows end with LF.
 * A null is an empty unquoted field, an empty string is `""`; a field that holds a comma, a quote, CR or LF is quoted,
 * quotes inside are doubled. Chunks end anywhere, in the middle of a row or a character too.
 */
export interface RowStream {
  /** In the order of the fields. */
  readonly columns: readonly ReportColumn[];
  /** The moment of the snapshot from which all rows and the summary come; of a replica's, up to when it had replayed its primary's changes. */
  readonly dataAsOf: Date;
  /** What a reader of the report ought to know of its rows. */
  readonly warnings?: readonly ReportWarning[];
  /** Counted in the same snapshot; null where counting costs as much as reading. */
  readonly rowsTotal: number | null;
  /** Empty where the type defines none. */
  readonly summary: ReportSummary;
  /** Whoever takes it destroys it; destroying it ends the query. The memory of its chunks goes with them: whoever has read one may free it. */
  readonly bytes: Readable;
}

/** Rows whose summary is folded while they pass, because whatever gives them cannot be asked twice. */
export interface FoldedRowStream extends Omit<RowStream, "summary"> {
  /** What the rows amount to. Throws until `bytes` were read to their end. */
  readonly summary: () => ReportSummary;
  /** How many rows have passed. */
  readonly rowsPassed: () => number;
}
