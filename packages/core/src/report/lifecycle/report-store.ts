import type { QuotaState } from "../../caller/rate-limit.ts";
import type { StartLimits } from "./start-limits.ts";
import type { CollectionPage, CollectionQuery } from "../../query/collection-query.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { RequeueHistory, WorkerRefusal, ReportSpoolRequirement } from "./requeue-history.ts";
import type { OnceClaim } from "./idempotency.ts";
import type { RowSnapshot, NewRowSnapshot } from "./row-snapshot.ts";
import type { ReportLane, RequeueCause } from "../../base/vocabulary.ts";
import type { FailureHistory } from "./lane.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report, ReportEvent, ReportFailure, ReportProgress } from "./report-record.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { VisibleReports } from "./visibility.ts";
import type { ReportWarning } from "../types/warning.ts";

/** The input of ReportStore.createQueued. */
export interface NewReport {
  readonly id: string;
  readonly reportType: string;
  readonly definitionVersion: number;
  readonly title: string;
  readonly searchParam: SearchParam;
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  readonly requestedBy: string;
  readonly requesterName?: string | null;
  readonly scheduleId?: string | null;
  /** If a caller runs a schedule by hand: the ID of the run to record with the report. */
  readonly fireId?: string;
  /** If a caller runs a schedule by hand: the principal whose limits apply. Limits do not apply to runs at scheduled times. */
  readonly countedFor?: string;
  readonly maxFailures: number;
  readonly traceparent: string | null;
  readonly requestId?: string | null;
  /** Hash of a legacy start, by which equal starts are coalesced; null for other starts. At most one unfinished report has a given hash. */
  readonly coalesceKey: string | null;
  readonly lane?: ReportLane;
  /** The authority that a local user must still have when a worker claims the report; null if no authority is checked again. */
  readonly requiredAuthority: string | null;
  /** For an additional format: the ID of the report whose row snapshot it shows. */
  readonly fileOf?: string;
}

/** The result of createQueued. `quotas` are the requester's remaining quotas, and `replayed` is the stored response of an idempotency key. */
export interface QueuedReport {
  readonly report: Report;
  readonly reused: boolean;
  readonly quotas?: readonly QuotaState[];
  readonly replayed?: string;
}

/** Results that a finished attempt publishes. */
export interface ReportCompletion {
  readonly file: ReportFile;
  readonly rowCount: number;
  readonly dataAsOf: Date;
  readonly warnings: readonly ReportWarning[];
  /** How long the file is kept. Additional formats are kept as long as the file of their report. */
  readonly retentionMs: number;
  readonly keptRows?: NewRowSnapshot | null;
  /** The store's ID, read after the files were stored (StoreIdReader.readId). If the database has another ID, nothing is published. */
  readonly storeId?: string | null;
}

export interface ReportRetry {
  readonly delayMs: number;
  readonly spendsFailure: boolean;
  readonly lane: ReportLane;
  /** Why this worker cannot run the report. The time limit of such requeues counts from the first one. */
  readonly because?: RequeueCause;
  /** Spool size of this worker in bytes, if it was too small for the report. */
  readonly spoolExceededBytes?: number;
}

export interface ClaimTerms {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly refusalOf: (report: Report, needs: ReportSpoolRequirement) => WorkerRefusal | null;
  /** Returns the delay in milliseconds of a refused report. Returns null if the report has waited too long; it is then claimed and fails. */
  readonly delayOf: (past: RequeueHistory) => number | null;
}

export type Claim =
  | {
      readonly kind: "claimed";
      readonly report: Report;
      readonly past: FailureHistory;
      readonly requeues: RequeueHistory;
      /**
       * Whether the requester still has the required authority, which a local user can lose while the report waits. Always true for other
       * requesters, and if no authority is required.
       */
      readonly isRequesterAllowed: boolean;
    }
  /** The worker refused the report. The report stays queued with a new job, due after `delayMs`. No failure is counted. */
  | { readonly kind: "handed-back"; readonly report: Report; readonly refusal: WorkerRefusal; readonly delayMs: number }
  | { readonly kind: "closed" }
  /** Another attempt runs the report under an unexpired lease. */
  | { readonly kind: "held" };

/**
 * Port of the store of reports. Each change of state is one compare-and-set and one event, with the time of Postgres's clock. All methods reject with
 * StoreUnavailableError if the database is down.
 */
export interface ReportStore {
  /**
   * Writes a QUEUED record, its first event and its job in one transaction. If an unfinished report has the coalesceKey, returns that report
   * with `reused: true` instead. The limits are exact over all instances, and a start above them rejects with RateLimitedError. A reused
   * report does not count. `quotas` is the remaining quota.
   * An additional format has its own record. It needs a SUCCEEDED report that has a row snapshot and has not reached its limit of files.
   * Otherwise, rejects with DomainError: not-found, gone or invalid.
   * With `once`, the response is stored in the same transaction. For 24 hours, the same key returns the report, and the stored response in
   * `replayed`. For a different request, the same key causes DomainError("invalid").
   */
  createQueued(report: NewReport, limits: StartLimits, once?: OnceClaim): Promise<QueuedReport>;
  /** Returns the earlier report that createQueued would return; null if createQueued would write a new one. Does not wait for concurrent starts. */
  findStarted(coalesceKey: string | null, once?: OnceClaim): Promise<QueuedReport | null>;
  /** Returns a report, also a deleted one (`deletedAt` is set). Returns null for an unknown ID, and for that of an additional format. */
  find(id: string): Promise<Report | null>;
  findFile(reportId: string, fileId: string): Promise<Report | null>;
  listFiles(reportId: string): Promise<readonly Report[]>;
  findKeptRows(reportId: string): Promise<RowSnapshot | null>;
  listEvents(reportId: string, afterId?: number): Promise<readonly ReportEvent[]>;

  /**
   * Claims a report that is QUEUED, or RUNNING with an expired lease: sets it to RUNNING, increments `attempt` and resets the progress. A refused
   * report stays QUEUED and gets a new job after the delay, in the same transaction. An event records the cause if it differs from the last one. A
   * refused report with an expired lease stays RUNNING until `Rescuer.rescue` handles it as a lost attempt.
   */
  claim(id: string, terms: ClaimTerms): Promise<Claim>;
  /** Renews the lease and writes progress, if given. Returns false if the attempt no longer owns the report and must stop. */
  heartbeat(
    id: string,
    attempt: number,
    renewal: { readonly leaseMs: number; readonly progress?: ReportProgress },
  ): Promise<boolean>;
  /**
   * Changes a report from RUNNING to SUCCEEDED. Rejects with FencedOutError if the attempt no longer owns the report, and with StoreMismatchError if
   * the database's store ID differs from `storeId`.
   */
  complete(id: string, attempt: number, completion: ReportCompletion): Promise<Report>;
  /** Changes a report from RUNNING to FAILED, and counts a failure if `spendsFailure` is set. Rejects with FencedOutError as `complete` does. */
  fail(id: string, attempt: number, failure: ReportFailure & { readonly spendsFailure: boolean }): Promise<Report>;
  /** Reports whether another running worker serves the report's type and lane and can make larger files than this worker. */
  isServedElsewhere(id: string, worker: { readonly workerId: string; readonly spoolBytes: number }): Promise<boolean>;
  /** Changes a report from RUNNING to QUEUED, with a new job after the delay, in one transaction. Rejects with FencedOutError. */
  requeue(id: string, attempt: number, retry: ReportRetry): Promise<Report>;
  /** Cancels a QUEUED or RUNNING report for a principal. Returns null if the report is terminal, deleted or unknown. */
  cancel(id: string, actor: string): Promise<Report | null>;
  /** Sets the title if the report still has this revision. Returns null if it has another one, or if it is deleted or unknown. */
  rename(id: string, revision: number, title: string): Promise<Report | null>;
  /**
   * Deletes a report or an additional format for a principal: cancels it if unfinished, leaves a tombstone and puts its file on the removal list. For
   * a report, this includes all additional formats and the row snapshot. Returns the record as it was; null if deleted or unknown.
   */
  remove(id: string, actor: string): Promise<Report | null>;
}

/** Port of the lists of reports. A list can be more expensive than all other requests, so lists have their own connections. */
export interface ReportLists {
  /**
   * Returns a page of active reports that the caller may see. Rejects with DomainError: bad-request if the position does not fit the sort,
   * unavailable (`list-too-slow`) after too long. Also rejects with the signal's reason and StoreUnavailableError.
   */
  list(
    query: CollectionQuery & { readonly visible: VisibleReports },
    signal: AbortSignal,
  ): Promise<CollectionPage<Report>>;
}
