import type { ReportColumn } from "../types/column.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportSummary } from "../types/summary.ts";
import type { ReportWarning } from "../types/warning.ts";

/** Precedes a row snapshot as one line of JSON: all that an additional format needs besides the rows. */
export interface RowSnapshotHeader {
  /** The whole type's columns at that time, in field order. */
  readonly columns: readonly ReportColumn[];
  readonly definitionVersion: number;
  /** The zone of times in rows and summary: UTC, in snapshots of earlier versions the report's. */
  readonly timezone: string;
  /** RFC 3339. */
  readonly dataAsOf: string;
  readonly rowsTotal: number | null;
  readonly summary: ReportSummary;
  readonly warnings: readonly ReportWarning[];
}

export const rowSnapshotExtension = "rows.zst";
export const rowSnapshotContentType = "application/zstd";

export interface NewRowSnapshot {
  readonly id: string;
  readonly file: Pick<ReportFile, "sizeBytes" | "sha256" | "storageKey" | "storedVersion">;
  /** SHA-256 of the uncompressed rows, without the header. */
  readonly dataSha256: string;
}

/** The row snapshot of an additional format, and the shown fields of its report. */
export interface RowSnapshot {
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** Lower-case hex, of the stored bytes. */
  readonly sha256: string;
  readonly requestedBy: string;
  readonly requesterName: string | null;
  readonly createdAt: Date;
}
