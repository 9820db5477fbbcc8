import type { ReportColumn } from "../types/column.ts";
import type { ProgressPhase } from "../../base/vocabulary.ts";
import type { ReportOptions } from "../types/options.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { ReportWarning } from "../types/warning.ts";

/**
 * All that a renderer needs to make one file, as plain JSON data, because rendering runs in another process than the one
 * that claims, beats and publishes.
 */
export interface RenderRequest {
  readonly reportId: string;
  readonly attempt: number;
  readonly reportType: string;
  readonly title: string;
  readonly requestedBy: string;
  /** What people call the requester; null where it is not known. */
  readonly requesterName: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Postgres's clock when the attempt began, RFC 3339: rows that are objects are read as of this time. */
  readonly now: string;
  readonly searchParam: SearchParam;
  readonly options: ReportOptions;
  /** The file to write; its folder exists, the file does not. */
  readonly spoolPath: string;
  readonly maxSpoolBytes: number;
  /** Rows above this end the report as REPORT_TOO_LARGE. */
  readonly maxRows: number;
  /** Wall time for the whole attempt, of which the query may take all. */
  readonly runTimeLimitMs: number;
  /** A file of kept rows from which the rows come, in the place of the type's source; null for the source. */
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
  /** What `keepRows` has written to keptRowsPathOf(spoolPath); null where it was not asked for. */
  readonly keptRows: SpooledRows | null;
}

/** Finished kept rows. */
export interface SpooledRows {
  readonly sizeBytes: number;
  /** Lower-case hex, of the bytes of that file. */
  readonly sha256: string;
  /** Of the rows alone, not compressed. */
  readonly dataSha256: string;
}

/** Where an attempt that writes to this spool file keeps its rows. */
export function keptRowsPathOf(spoolPath: string): string {
  return `${spoolPath}-kept`;
}

/** How far one attempt is. */
export interface RenderProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
}

/**
 * Makes the file. Rejects with PermanentReportError (the report ends), StoreUnavailableError (can pass), RendererCrashError
 * (spends one of the report's failures) or the signal's reason. Leaves no spool file behind when it rejects.
 */
export type Render = (
  request: RenderRequest,
  context: {
    readonly signal: AbortSignal;
    /** @param atMs in epoch ms, by the clock of who renders; now unless said. */
    onProgress(progress: RenderProgress, atMs?: number): void;
  },
) => Promise<RenderResult>;
