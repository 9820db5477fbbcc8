import type { EventCause, ProgressPhase, ReportErrorCode, ReportStatus } from "../../base/vocabulary.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportOptions } from "../types/options.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { ReportWarning } from "../types/warning.ts";

/** How far a report is. `percent` is 0-99 while it runs, and 100 exactly when it is SUCCEEDED or EXPIRED. */
export interface ReportProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
  readonly percent: number | null;
}

/** Why a report FAILED, in words for its requester. */
export interface ReportFailure {
  readonly code: ReportErrorCode;
  readonly detail: string;
  readonly retryable: boolean;
}

/** One report as the domain knows it. Times are Postgres's. */
export interface Report {
  readonly id: string;
  readonly reportType: string;
  readonly definitionVersion: number;
  readonly title: string;
  readonly status: ReportStatus;
  readonly searchParam: SearchParam;
  /** As it was written: relative times stand here as such, and resolved in searchParam. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  /** Names of options that only a later version knows, which has started the report. Missing if there are none. */
  readonly unknownOptions?: readonly string[];
  /** Namespaced principal, such as `basic:alice` or `https://issuer|sub`. */
  readonly requestedBy: string;
  /** What people call that principal, for its documents; null where it is not known, and of further files, which show their report's. */
  readonly requesterName: string | null;
  /** The schedule that started it; null of reports that somebody asked for. */
  readonly scheduleId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
  readonly dataAsOf: Date | null;
  readonly progress: ReportProgress;
  /** Counts claims; the fence of every write of a worker. */
  readonly attempt: number;
  /** Counts crashes and out-of-memory. */
  readonly failures: number;
  readonly maxFailures: number;
  readonly rowCount: number | null;
  readonly file: ReportFile | null;
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportFailure | null;
  /** Grows with every change of the row; the ETag is made of it. */
  readonly revision: number;
  readonly deletedAt: Date | null;
  /** W3C trace context of the request that started it. */
  readonly traceparent: string | null;
  /** That request's id, by which the logs of its report are found. */
  readonly requestId: string | null;
  /** The report of which this is a further file; null of a report itself. */
  readonly fileOf: string | null;
  /** SHA-256 of its rows, in lower-case hex, where they were kept: reports of one type and version with equal ones have equal rows. */
  readonly dataSha256: string | null;
}

/** One transition, in the order in which it happened. `from` is null for the creation. */
export interface ReportEvent {
  readonly id: number;
  readonly reportId: string;
  readonly from: ReportStatus | null;
  readonly to: ReportStatus | "DELETED";
  readonly attempt: number;
  readonly at: Date;
  /** Of → EXPIRED, and null there where the retention was over or the file was gone; and of → QUEUED where a worker handed the report back. */
  readonly because: EventCause | null;
  /** Who caused it: a principal's id, `schedule:<id>`, `worker:<id>` or `system`. Null for events from before this was stored. */
  readonly actor: string | null;
}
