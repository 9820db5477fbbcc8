import type { QuotaState } from "../../caller/rate-limit.ts";
import type { StartLimits } from "./start-limits.ts";
import type { CollectionPage, CollectionQuery } from "../../query/collection-query.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { RequeueHistory, Refusal, ReportNeeds } from "./requeue-history.ts";
import type { OnceClaim } from "./idempotency.ts";
import type { RowSnapshot, NewRowSnapshot } from "./row-snapshot.ts";
import type { ReportLane, RequeueCause } from "../../base/vocabulary.ts";
import type { ReportHistory } from "./lane.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report, ReportEvent, ReportFailure, ReportProgress } from "./report-record.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { VisibleReports } from "./visibility.ts";
import type { ReportWarning } from "../types/warning.ts";

/** A report that is to be queued. */
export interface NewReport {
  readonly id: string;
  readonly reportType: string;
  readonly definitionVersion: number;
  readonly title: string;
  readonly searchParam: SearchParam;
  /** As written, with relative times. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  readonly requestedBy: string;
  readonly requesterName?: string | null;
  readonly scheduleId?: string | null;
  /** The run that is recorded with it, if a caller runs a schedule. */
  readonly fireId?: string;
  /** Whose limits count, if a caller runs a schedule. Other runs of schedules count for nobody. */
  readonly countedFor?: string;
  readonly maxFailures: number;
  readonly traceparent: string | null;
  readonly requestId?: string | null;
  /** Hash of a legacy start; null to not coalesce. At most one open report has a given key. */
  readonly coalesceKey: string | null;
  /** Default: quick. */
  readonly lane?: ReportLane;
  /** The authority that a local requester must still hold when the report runs; null if nothing is checked again. */
  readonly requiredAuthority: string | null;
  /** The report whose row snapshot is the source of this additional format. */
  readonly fileOf?: string;
}

/** The result of queuing a report. */
export interface QueuedReport {
  readonly report: Report;
  /** Whether it is an earlier, still open report with the same request. */
  readonly reused: boolean;
  readonly quotas?: readonly QuotaState[];
  readonly replayed?: string;
}

/** The values that a finished attempt publishes. */
export interface ReportCompletion {
  readonly file: ReportFile;
  readonly rowCount: number;
  readonly dataAsOf: Date;
  readonly warnings: readonly ReportWarning[];
  /** Additional formats are kept as long as their report's file. */
  readonly retentionMs: number;
  /** The row snapshot, if it is kept. */
  readonly keptRows?: NewRowSnapshot | null;
  /** The store's ID after the files were stored (StoreIdReader.readId): if the database has another one, nothing is published. */
  readonly storeId?: string | null;
}

export interface ReportRetry {
  readonly delayMs: number;
  /** Whether this attempt spends a failure (crash, out of memory). */
  readonly spendsFailure: boolean;
  readonly lane: ReportLane;
  /** Why the worker requeues it. The first time counts for how long it may wait. */
  readonly because?: RequeueCause;
  /** This worker's scratch space, if it was too small for the report. */
  readonly spoolExceededBytes?: number;
}

export interface ClaimTerms {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Why this worker cannot run the report; null to claim it. */
  readonly refusalOf: (report: Report, needs: ReportNeeds) => Refusal | null;
  /** Delay of a refused report in ms; null after too long a wait: then it is claimed in order to fail. */
  readonly delayOf: (past: RequeueHistory) => number | null;
}

export type Claim =
  | {
      readonly kind: "claimed";
      readonly report: Report;
      readonly past: ReportHistory;
      readonly requeues: RequeueHistory;
      /**
       * Whether the requester may still have the report at the claim: local users are looked up again, because authorities can be lost
       * while a report waits. Others were checked at the start.
       */
      readonly isRequesterAllowed: boolean;
    }
  /** Refused: it continues to wait with a new job, and spends nothing. */
  | { readonly kind: "handed-back"; readonly report: Report; readonly refusal: Refusal; readonly delayMs: number }
  /** Terminal, deleted or unknown. */
  | { readonly kind: "closed" }
  /** Another attempt holds an active lease. */
  | { readonly kind: "held" };

/** Every transition is one compare-and-set and one event, on Postgres's clock. Rejects with StoreUnavailableError. */
export interface ReportStore {
  /**
   * Writes the record (QUEUED), its first event and its job in one transaction. If an open report has the coalesceKey, returns that with
   * `reused: true` instead. The limits hold exactly over all instances, and a start above them throws RateLimitedError; reused reports
   * count for none. `quotas` is the remaining quota.
   * An additional format is a report with its own record. It needs a SUCCEEDED report with a row snapshot and room for it; otherwise
   * DomainError is thrown: not-found, gone, invalid.
   * With a claim, the response is stored in the same transaction. Within 24 hours the same key returns the report and the stored response
   * in `replayed`; for another request it is DomainError("invalid").
   */
  createQueued(report: NewReport, limits: StartLimits, once?: OnceClaim): Promise<QueuedReport>;
  /** Returns what createQueued would return instead of writing; null if it would write. Does not wait for concurrent starts. */
  findStarted(coalesceKey: string | null, once?: OnceClaim): Promise<QueuedReport | null>;
  /** Includes deleted ones (deletedAt is set); null if unknown, and for an additional format. */
  find(id: string): Promise<Report | null>;
  /** An additional format as its own record, deleted ones included; null if unknown. */
  findFile(reportId: string, fileId: string): Promise<Report | null>;
  /** Active additional formats of the report, oldest first. */
  listFiles(reportId: string): Promise<readonly Report[]>;
  /** Null if there is no row snapshot any more. */
  findKeptRows(reportId: string): Promise<RowSnapshot | null>;
  /** Events with an id above `afterId`, oldest first. */
  listEvents(reportId: string, afterId?: number): Promise<readonly ReportEvent[]>;

  /**
   * QUEUED, or RUNNING with a lapsed lease → RUNNING; attempt + 1; progress reset. A refused report stays QUEUED, with a new job after the
   * delay in the same transaction; its event has the cause, once per change of cause. The rescuer handles a refused one with a lapsed
   * lease.
   */
  claim(id: string, terms: ClaimTerms): Promise<Claim>;
  /** Renews the lease and writes progress, if given. False if the attempt is fenced out: stop immediately. */
  heartbeat(
    id: string,
    attempt: number,
    renewal: { readonly leaseMs: number; readonly progress?: ReportProgress },
  ): Promise<boolean>;
  /** RUNNING → SUCCEEDED. Rejects with FencedOutError, and with StoreMismatchError if the database has another store than `storeId`. */
  complete(id: string, attempt: number, completion: ReportCompletion): Promise<Report>;
  /** RUNNING → FAILED; spends a failure if the cause does. Rejects with FencedOutError. */
  fail(id: string, attempt: number, failure: ReportFailure & { readonly spendsFailure: boolean }): Promise<Report>;
  /** Reports whether another running worker serves this type and lane and can make larger files than this one. */
  isServedElsewhere(id: string, worker: { readonly workerId: string; readonly spoolBytes: number }): Promise<boolean>;
  /** RUNNING → QUEUED with a new job after the delay, in one transaction. Rejects with FencedOutError. */
  requeue(id: string, attempt: number, retry: ReportRetry): Promise<Report>;
  /** QUEUED or RUNNING → CANCELLED by that principal. Null if terminal, deleted or unknown. */
  cancel(id: string, actor: string): Promise<Report | null>;
  /** Renames the given revision. Null if it changed meanwhile, or is deleted or unknown. */
  rename(id: string, revision: number, title: string): Promise<Report | null>;
  /** Cancels an open report or additional format by that principal, makes it a tombstone and puts its files on the removal list, with all additional formats and the row snapshot. Returns the record as it was; null if deleted or unknown. */
  remove(id: string, actor: string): Promise<Report | null>;
}

/** Separate from the store, because one list may cost more than all other requests. */
export interface ReportLists {
  /**
   * Active reports that the caller may see; filters by other names find nothing hidden. Rejects with DomainError("bad-request") for a position of another sort, DomainError("unavailable",
   * "list-too-slow"), the signal's reason, and StoreUnavailableError.
   */
  list(
    query: CollectionQuery & { readonly visible: VisibleReports },
    signal: AbortSignal,
  ): Promise<CollectionPage<Report>>;
}
