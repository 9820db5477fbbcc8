import type { ReportColumn } from "../types/column.ts";
import type { ProgressPhase } from "../../base/vocabulary.ts";
import type { ReportOptions } from "../types/options.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { ReportWarning } from "../types/warning.ts";

/** Everything a renderer needs to make one file. Plain JSON data, because rendering runs in another process. */
export interface RenderRequest {
  readonly reportId: string;
  readonly attempt: number;
  readonly reportType: string;
  readonly title: string;
  readonly requestedBy: string;
  readonly requesterName: string | null;
  readonly createdAt: string;
  /** Time of Postgres's clock when the attempt began, as RFC 3339. It is the `dataAsOf` of object rows. */
  readonly now: string;
  readonly searchParam: SearchParam;
  readonly options: ReportOptions;
  readonly spoolPath: string;
  readonly maxSpoolBytes: number;
  readonly maxRows: number;
  readonly runTimeLimitMs: number;
  readonly keptRowsPath: string | null;
}

/** The finished spool file. */
export interface RenderResult {
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly extension: string;
  readonly columns: readonly ReportColumn[];
  readonly dataAsOf: string;
  readonly warnings: readonly ReportWarning[];
  /** The row snapshot, whose path is rowSnapshotPathOf(spoolPath); null if the report does not keep rows. */
  readonly keptRows: SpooledRows | null;
}

export interface SpooledRows {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** SHA-256 of the uncompressed rows without the snapshot's header, so that equal rows of one type and version have equal values. */
  readonly dataSha256: string;
}

export function rowSnapshotPathOf(spoolPath: string): string {
  return `${spoolPath}-kept`;
}

/** The progress that a renderer reports, without a percentage. */
export interface RenderProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
}

/** Renders the file of a report. Rejects with PermanentReportError (the report fails), StoreUnavailableError (retry), RendererCrashError (a failure) or the signal's reason, and then leaves no file. */
export type Render = (
  request: RenderRequest,
  context: {
    readonly signal: AbortSignal;
    /** Reports progress. `atMs` is the time of the renderer's clock in milliseconds since 1970; default: now. */
    onProgress(progress: RenderProgress, atMs?: number): void;
  },
) => Promise<RenderResult>;
