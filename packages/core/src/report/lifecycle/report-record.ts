import type { EventCause, ProgressPhase, ReportErrorCode, ReportStatus } from "../../base/vocabulary.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportOptions } from "../types/options.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { ReportWarning } from "../types/warning.ts";

/** Progress of a report. `percent` is 0 to 99 while the report runs, and 100 only if the report is SUCCEEDED or EXPIRED. */
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

/** The record of a report. Its times come from Postgres's clock. */
export interface Report {
  readonly id: string;
  readonly reportType: string;
  readonly definitionVersion: number;
  readonly title: string;
  readonly status: ReportStatus;
  readonly searchParam: SearchParam;
  /** The filters as the caller wrote them, possibly with relative times. In `searchParam`, these are resolved to instants. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  /** Names of options that this version does not know, because a later version started the report. Missing if there are none. */
  readonly unknownOptions?: readonly string[];
  readonly requestedBy: string;
  /** Name of the requester, which files show. Null if unknown, and for additional formats, which show the name of their report's requester. */
  readonly requesterName: string | null;
  readonly scheduleId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
  readonly dataAsOf: Date | null;
  readonly progress: ReportProgress;
  /** Number of claims. A write of a worker changes the record only if this is still the worker's attempt. */
  readonly attempt: number;
  /** Number of attempts that counted as failures, for example because the renderer crashed. */
  readonly failures: number;
  readonly maxFailures: number;
  readonly rowCount: number | null;
  readonly file: ReportFile | null;
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportFailure | null;
  /** Incremented by every change of the record. The ETag is made from it. */
  readonly revision: number;
  readonly deletedAt: Date | null;
  readonly traceparent: string | null;
  readonly requestId: string | null;
  /** For an additional format, the ID of its report; null for a report. */
  readonly fileOf: string | null;
  /** SHA-256 of the rows in the row snapshot, in lower-case hexadecimal digits. Equal for equal rows of the same type and version. */
  readonly dataSha256: string | null;
}

/** A change of a report's state. `from` is null for its creation. */
export interface ReportEvent {
  readonly id: number;
  readonly reportId: string;
  readonly from: ReportStatus | null;
  readonly to: ReportStatus | "DELETED";
  readonly attempt: number;
  readonly at: Date;
  /** Cause of the change. For EXPIRED, null means that the retention is over or the file is lost. For QUEUED, why a worker requeued the report. */
  readonly because: EventCause | null;
  /** ID of the principal that caused the change, or `schedule:<id>`, `worker:<id>` or `system`. Null for old events, which have no actor. */
  readonly actor: string | null;
}
