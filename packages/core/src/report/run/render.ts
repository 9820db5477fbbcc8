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
  /** Null if unknown. */
  readonly requesterName: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Postgres's clock when the attempt began, RFC 3339; object sources read rows as of this time. */
  readonly now: string;
  readonly searchParam: SearchParam;
  readonly options: ReportOptions;
  /** The file to write; its folder exists, the file does not. */
  readonly spoolPath: string;
  readonly maxSpoolBytes: number;
  /** More rows end the report as REPORT_TOO_LARGE. */
  readonly maxRows: number;
  /** Wall time of the whole attempt; the query may take all of it. */
  readonly runTimeLimitMs: number;
  /** A row snapshot to read instead of the source, if not null. */
  readonly keptRowsPath: string | null;
}

/** The finished spool file. */
export interface RenderResult {
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** Lower-case hex, taken while writing. */
  readonly sha256: string;
  readonly extension: string;
  readonly columns: readonly ReportColumn[];
  /** RFC 3339. */
  readonly dataAsOf: string;
  readonly warnings: readonly ReportWarning[];
  /** The snapshot at rowSnapshotPathOf(spoolPath); null if `keepRows` was not set. */
  readonly keptRows: SpooledRows | null;
}

export interface SpooledRows {
  readonly sizeBytes: number;
  /** Lower-case hex, of the file's bytes. */
  readonly sha256: string;
  /** SHA-256 of the uncompressed rows. */
  readonly dataSha256: string;
}

export function rowSnapshotPathOf(spoolPath: string): string {
  return `${spoolPath}-kept`;
}

/** The progress of one attempt. */
export interface RenderProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
}

/**
 * Makes the file. Rejects with PermanentReportError (the report ends), StoreUnavailableError (retried), RendererCrashError
 * (spends a failure) or the signal's reason, and then leaves no file.
 */
export type Render = (
  request: RenderRequest,
  context: {
    readonly signal: AbortSignal;
    /** `atMs` is the renderer's clock in epoch ms; default now. */
    onProgress(progress: RenderProgress, atMs?: number): void;
  },
) => Promise<RenderResult>;
