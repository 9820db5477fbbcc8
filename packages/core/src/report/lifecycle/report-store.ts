import type { QuotaState } from "../../caller/rate-limit.ts";
import type { StartLimits } from "./start-limits.ts";
import type { CollectionPage, CollectionQuery } from "../../query/collection-query.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { HandBackPast, Refusal, ReportNeeds } from "./requeue-history.ts";
import type { OnceClaim } from "./idempotency.ts";
import type { KeptRows, NewKeptRows } from "./kept-rows.ts";
import type { ReportLane, HandBackCause } from "../../base/vocabulary.ts";
import type { ReportPast } from "./lane.ts";
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
  /** As it was written, with its relative times. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
  readonly requestedBy: string;
  /** What people call the requester. */
  readonly requesterName?: string | null;
  /** Of the schedule that starts it. */
  readonly scheduleId?: string | null;
  /** The fire that is written with it, where somebody runs a schedule by hand. */
  readonly fireId?: string;
  /** Against whose limits it counts, where somebody runs a schedule by hand. What a schedule starts otherwise counts against nobody's. */
  readonly countedFor?: string;
  readonly maxFailures: number;
  readonly traceparent: string | null;
  readonly requestId?: string | null;
  /**
   * Hash of principal, type, parameters and options of a literal start, or null when it is not to be coalesced.
   * At most one open report has a given key.
   */
  readonly coalesceKey: string | null;
  /** Where it begins; among the short ones unless said. */
  readonly lane?: ReportLane;
  /** What the requester must still hold when the report runs, where they are one of our own users; null when nothing is asked again. */
  readonly requiredAuthority: string | null;
  /** The report of whose kept rows it is a further file. */
  readonly fileOf?: string;
}

/** What came of queuing a report. */
export interface QueuedReport {
  readonly report: Report;
  /** Whether it is an earlier one that was asked for alike and is still open. */
  readonly reused: boolean;
  readonly quotas?: readonly QuotaState[];
  /** What was answered before under the same idempotency key. */
  readonly replayed?: string;
}

/** What a finished attempt publishes. */
export interface ReportCompletion {
  readonly file: ReportFile;
  readonly rowCount: number;
  readonly dataAsOf: Date;
  readonly warnings: readonly ReportWarning[];
  /** How long the file is kept; a further file is kept for as long as its report's. */
  readonly retentionMs: number;
  /** The rows, where they are kept beside the file. */
  readonly keptRows?: NewKeptRows | null;
  /** The id that stood in the store once the files did (StoreLook.look): where the database has another by now, nothing is published. */
  readonly storeId?: string | null;
}

/** Why an attempt goes back to the queue. */
export interface ReportRetry {
  readonly delayMs: number;
  /** Whether this attempt spends one of the report's failures (crash, out of memory). */
  readonly spendsFailure: boolean;
  /** Where it waits for its next attempt. */
  readonly lane: ReportLane;
  /** Why the worker hands it back, where that is what it does; the first time counts for how long it may wait. */
  readonly because?: HandBackCause;
  /** The scratch space of this worker, where it proved too small for the report. */
  readonly spoolExceededBytes?: number;
}

/** Who claims a report, and on what terms. */
export interface ClaimTerms {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Why this worker cannot run the report; null to claim it. */
  readonly refusalOf: (report: Report, needs: ReportNeeds) => Refusal | null;
  /** After how many ms a refused report comes again; null when it has waited for too long: then it is claimed after all, to be ended. */
  readonly delayOf: (past: HandBackPast) => number | null;
}

/** What became of a claim. */
export type Claim =
  | {
      readonly kind: "claimed";
      readonly report: Report;
      readonly past: ReportPast;
      readonly handBacks: HandBackPast;
      /**
       * Whether the one who asked for the report may still have it, as of the claim's beginning: a user of ours is looked up again, because
       * authorities can be lost while a report waits. Others were checked at the start.
       */
      readonly isRequesterAllowed: boolean;
    }
  /** Refused: it waits on with a job of its own, and nothing of it is spent. */
  | { readonly kind: "handed-back"; readonly report: Report; readonly refusal: Refusal; readonly delayMs: number }
  /** Terminal, deleted or unknown: there is nothing to do. */
  | { readonly kind: "closed" }
  /** Another attempt runs and its lease has not lapsed. */
  | { readonly kind: "held" };

/**
 * Where reports live. Every transition is one compare-and-set update plus one event row in one transaction, on Postgres's clock.
 * All methods reject with StoreUnavailableError when the database does not answer in time.
 */
export interface ReportStore {
  /**
   * Writes the record (QUEUED), its first event and its job in one transaction: all or nothing.
   * With a coalesceKey that an open report has already, nothing is written and that report comes back with `reused: true`.
   * The limits hold exactly for all instances together: what would break one is not written, and RateLimitedError is thrown.
   * A report that comes back counts against none of them. `quotas` says what is left.
   * A further file is a report of its own to all that makes it, and is written only while its report has SUCCEEDED, holds kept rows and has
   * room for it; otherwise DomainError is thrown: not-found, gone, invalid.
   * With a claim, the answer that it makes of the new report is kept in the same transaction. Whoever claims the same key within 24 hours,
   * or meanwhile, gets the report as it is now and the kept answer in `replayed`; for another request that is DomainError("invalid").
   */
  createQueued(report: NewReport, limits: StartLimits, once?: OnceClaim): Promise<QueuedReport>;
  /** What createQueued would give back instead of writing something new; null where it would write. Waits for no twin that is on its way. */
  findStarted(coalesceKey: string | null, once?: OnceClaim): Promise<QueuedReport | null>;
  /** The record, deleted ones included (deletedAt is set); null when there never was one, and of a further file. */
  find(id: string): Promise<Report | null>;
  /** A further file of the report, as a record of its own, deleted ones included; null when there never was one. */
  findFile(reportId: string, fileId: string): Promise<Report | null>;
  /** The living further files of the report, oldest first. */
  listFiles(reportId: string): Promise<readonly Report[]>;
  /** What further files of the report are made of; null when its rows were not kept, or are gone. */
  findKeptRows(reportId: string): Promise<KeptRows | null>;
  /** Events with an id above `afterId`, oldest first. */
  listEvents(reportId: string, afterId?: number): Promise<readonly ReportEvent[]>;

  /**
   * QUEUED, or RUNNING with a lapsed lease → RUNNING; attempt + 1; progress back to its beginning. What is refused stays QUEUED, with a new
   * job after the delay, in the same transaction; its event tells why, once for each cause that follows on another. A refused one whose
   * lease has lapsed is left to the rescuer.
   */
  claim(id: string, terms: ClaimTerms): Promise<Claim>;
  /** Renews the lease and, when given, writes progress. False when the attempt is fenced out: stop at once. */
  heartbeat(
    id: string,
    attempt: number,
    beat: { readonly leaseMs: number; readonly progress?: ReportProgress },
  ): Promise<boolean>;
  /** RUNNING → SUCCEEDED. Rejects with FencedOutError, and with StoreMismatchError where the database has another store than `storeId`. */
  complete(id: string, attempt: number, completion: ReportCompletion): Promise<Report>;
  /** RUNNING → FAILED; spends a failure where the cause is one. Rejects with FencedOutError. */
  fail(id: string, attempt: number, failure: ReportFailure & { readonly spendsFailure: boolean }): Promise<Report>;
  /** Reports whether another running worker serves reports of this type and lane, and can make larger files than this worker. */
  isServedElsewhere(id: string, worker: { readonly workerId: string; readonly spoolBytes: number }): Promise<boolean>;
  /** RUNNING → QUEUED with a new job after the delay, in one transaction. Rejects with FencedOutError. */
  requeue(id: string, attempt: number, retry: ReportRetry): Promise<Report>;
  /** QUEUED or RUNNING → CANCELLED, by that principal. Null when it was terminal, deleted or unknown. */
  cancel(id: string, actor: string): Promise<Report | null>;
  /** Writes another title over the given revision. Null when the report has another one by now, or is deleted or unknown. */
  rename(id: string, revision: number, title: string): Promise<Report | null>;
  /**
   * Cancels the report, or further file, where it is open, by that principal, makes a tombstone of it, and puts its file on the list of removals; so it does with all further files of a report and with its kept rows. The record as it was comes
   * back, so that its file can be removed at once; null when it was deleted already, or is unknown.
   */
  remove(id: string, actor: string): Promise<Report | null>;
}

/** Lists of reports. Apart from the store, because any one of them may cost more than everything else that callers ask for. */
export interface ReportLists {
  /**
   * Those living reports that the caller may know of; a filter by somebody else's name finds none of theirs. Rejects with DomainError("bad-request") for a position that does not belong to the sort, with
   * DomainError("unavailable", "list-too-slow") when it takes too long, with the signal's reason, and with StoreUnavailableError.
   */
  list(
    query: CollectionQuery & { readonly visible: VisibleReports },
    signal: AbortSignal,
  ): Promise<CollectionPage<Report>>;
}
