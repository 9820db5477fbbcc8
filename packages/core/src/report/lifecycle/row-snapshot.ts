import type { ReportColumn } from "../types/column.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { Report } from "./report-record.ts";
import type { ReportSummary } from "../types/summary.ts";
import type { ReportWarning } from "../types/warning.ts";

/** First line of a row snapshot, as JSON: the data that an additional format needs in addition to the rows. */
export interface RowSnapshotHeader {
  readonly columns: readonly ReportColumn[];
  readonly definitionVersion: number;
  /** Time zone of the times in rows and summary: UTC, or the report's time zone in snapshots of earlier versions. */
  readonly timezone: string;
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
  readonly dataSha256: string;
}

export type RowSnapshot = Pick<ReportFile, "storageKey" | "sizeBytes" | "sha256"> &
  Pick<Report, "requestedBy" | "requesterName" | "createdAt">;
