import type { EventCause, ProgressPhase, ReportErrorCode, ReportStatus } from "../../base/vocabulary.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportOptions } from "../types/options.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { ReportWarning } from "../types/warning.ts";

/** `percent` is 0-99 while the report runs, and 100 exactly if it is SUCCEEDED or EXPIRED. */
export interface ReportProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
  readonly percent: number | null;
}

export interface ReportFailure {
  readonly code: ReportErrorCode;
  readonly detail: string;
  readonly retryable: boolean;
}

/** Times are Postgres's. */
export interface Report {
  readonly id: string;
  readonly reportType: string;
  readonly definitionVersion: number;
  readonly title: string;
  readonly status: ReportStatus;
  readonly searchParam: SearchParam;
  /** As written, with relative times; searchParam has their instants. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  /** Options that only a later version, which started the report, knows. Missing if there are none. */
  readonly unknownOptions?: readonly string[];
  /** Namespaced principal, such as `basic:alice` or `https://issuer|sub`. */
  readonly requestedBy: string;
  /** The principal's name for documents; null if unknown, and for additional formats, which show their report's. */
  readonly requesterName: string | null;
  /** Null for reports that a caller started. */
  readonly scheduleId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
  readonly dataAsOf: Date | null;
  readonly progress: ReportProgress;
  /** Counts claims; fences every write of a worker. */
  readonly attempt: number;
  /** Counts crashes and out-of-memory. */
  readonly failures: number;
  readonly maxFailures: number;
  readonly rowCount: number | null;
  readonly file: ReportFile | null;
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportFailure | null;
  /** Grows with every change of the row; basis of the ETag. */
  readonly revision: number;
  readonly deletedAt: Date | null;
  /** W3C trace context of the starting request. */
  readonly traceparent: string | null;
  /** The starting request's ID, as in logs. */
  readonly requestId: string | null;
  /** The report of an additional format; null for a report. */
  readonly fileOf: string | null;
  /** SHA-256 of the row snapshot's rows, in lower-case hex: reports of one type and version with equal hashes have equal rows. */
  readonly dataSha256: string | null;
}

/** One transition, in order. `from` is null for the creation. */
export interface ReportEvent {
  readonly id: number;
  readonly reportId: string;
  readonly from: ReportStatus | null;
  readonly to: ReportStatus | "DELETED";
  readonly attempt: number;
  readonly at: Date;
  /** For EXPIRED, null if the retention is over or the file is gone; for QUEUED, set if a worker requeued the report. */
  readonly because: EventCause | null;
  /** A principal's ID, `schedule:<id>`, `worker:<id>` or `system`. Null for events from before this was stored. */
  readonly actor: string | null;
}
