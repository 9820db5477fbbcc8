import type { ReportColumn } from "../types/column.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportSummary } from "../types/summary.ts";
import type { ReportWarning } from "../types/warning.ts";

/** What stands before kept rows, as one line of JSON: all that a further file needs of the source beside the rows. */
export interface KeptRowsHeader {
  /** Of the whole type as it was, in the order of the fields. */
  readonly columns: readonly ReportColumn[];
  readonly definitionVersion: number;
  /** In which the rows, and the summary, hold their times: UTC, and in snapshots of earlier versions the zone of the report. */
  readonly timezone: string;
  /** RFC 3339. */
  readonly dataAsOf: string;
  readonly rowsTotal: number | null;
  readonly summary: ReportSummary;
  readonly warnings: readonly ReportWarning[];
}

/** Extension of kept rows in the store. */
export const keptRowsExtension = "rows.zst";
/** Their media type. */
export const keptRowsContentType = "application/zstd";

/** Rows that an attempt has kept beside its file. */
export interface NewKeptRows {
  readonly id: string;
  readonly file: Pick<ReportFile, "sizeBytes" | "sha256" | "storageKey" | "storedVersion">;
  /** SHA-256 of the rows alone, not compressed and without what stands before them. */
  readonly dataSha256: string;
}

/** The kept rows that a further file is made of, and what it shows of the report that they are of. */
export interface KeptRows {
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** Lower-case hex, of the stored bytes. */
  readonly sha256: string;
  /** The report's own, as its further files show them. */
  readonly requestedBy: string;
  readonly requesterName: string | null;
  readonly createdAt: Date;
}
