import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { ReportLane } from "../base/vocabulary.ts";
import type { DueSchedule, DueRunsDecision } from "./decide-due-runs.ts";
import type { ScheduleRun } from "./run-record.ts";
import type { Schedule, ScheduleSettings } from "./schedule-record.ts";
import type { OwnerAuthorityState, ScheduleStatus } from "./schedule-values.ts";

export type NewSchedule = ScheduleSettings &
  Pick<Schedule, "id" | "owner" | "ownerName" | "definitionVersion" | "requiredAuthority">;

/** The next run of a schedule (null: never again), and the version of the time zone rules by which it was computed. */
export interface NextRunPlan {
  readonly nextFireAt: Date | null;
  readonly tzVersion: string;
}

export interface ScheduleChange {
  readonly settings: ScheduleSettings;
  readonly definitionVersion: number;
  readonly status: ScheduleStatus;
  /** Set if the times, zone or pattern change, or if the schedule is resumed. Null keeps the stored next run. */
  readonly plan: NextRunPlan | null;
  /** Whether the owner made the change and had the required authority. */
  readonly confirms: boolean;
  /** Current name of the owner, or the stored name if another caller made the change. */
  readonly ownerName: string | null;
}

export interface ScheduleStore {
  /** Returns null and stores nothing if the owner already has `most` schedules. `plan` receives Postgres's time. */
  create(schedule: NewSchedule, plan: (now: Date) => NextRunPlan, most: number): Promise<Schedule | null>;
  find(id: string): Promise<Schedule | null>;
  list(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<Schedule>>;
  /**
   * Locks the schedule, so that no run and no other change happens meanwhile. Errors of `change` are rethrown; if it returns null, nothing changes.
   * If the settings stay equal, only the confirmation of the owner is stored, without a new revision. Returns null if the schedule is deleted or
   * unknown.
   */
  change(id: string, change: (stored: Schedule, now: Date) => ScheduleChange | null): Promise<Schedule | null>;
  /** Makes the schedule a tombstone, unless `precondition` throws. The reports that it started stay. */
  remove(id: string, precondition: (stored: Schedule) => void): Promise<void>;
  listRuns(
    query: CollectionQuery & { readonly scheduleId: string },
    signal: AbortSignal,
  ): Promise<CollectionPage<ScheduleRun>>;
  findRun(scheduleId: string, id: string): Promise<ScheduleRun | null>;
  /** Returns whether the owner still has the required authority; `lost` for an unknown schedule. Trusts bearer tokens for `confirmDays` days. */
  ownership(id: string, confirmDays: number): Promise<OwnerAuthorityState>;
  /** Records that the owner sent a request with these authorities. Returns the number of confirmed schedules. */
  confirmOwner(owner: string, authorities: readonly string[]): Promise<number>;
}

export interface DueRunsResult {
  readonly decision: DueRunsDecision;
  readonly at: Date;
  readonly reportId: string | null;
}

export interface ScheduleRunContext {
  readonly newId: () => string;
  readonly lane: ReportLane;
  readonly maxFailures: number;
  readonly confirmDays: number;
}

/** Reads schedules to compare them with their report types. Rejects with StoreUnavailableError, or with the signal's reason after an abort. */
export interface ScheduleReader {
  /** Yields the ACTIVE schedules, and those that were paused because they did not fit their report type. `lastFire` is not read. */
  pages(signal: AbortSignal): AsyncIterable<readonly Schedule[]>;
}

/** Stores the schedules for workers. Postgres's clock decides what is due. All methods reject with StoreUnavailableError. */
export interface DueScheduleStore {
  /** Lists due schedules, the longest overdue first, starting after `after`. Skips schedules that zone rules newer than `tzVersion` have planned. */
  listDue(tzVersion: string, limit: number, after?: Pick<Schedule, "id" | "nextFireAt">): Promise<readonly Schedule[]>;
  /**
   * Locks a due schedule, calls `decide`, and writes the decision in one transaction: runs, report with event and job, and the next time. Returns
   * null if the schedule is no longer due, is locked, or `decide` returns null.
   */
  run(
    id: string,
    tzVersion: string,
    context: ScheduleRunContext,
    decide: (due: DueSchedule) => DueRunsDecision | null,
  ): Promise<DueRunsResult | null>;
  /**
   * Recomputes next runs that were computed by older zone rules, or before the clock was set back. If `nextOf` returns undefined, the next run
   * stays. Returns the number of schedules.
   */
  recompute(
    tzVersion: string,
    nextOf: (schedule: Schedule, countedFrom: Date) => Date | null | undefined,
    limit: number,
  ): Promise<number>;
  /** Pauses at most `limit` ACTIVE schedules whose latest reports keep failing permanently, whether they are due or not. Returns their IDs. */
  pauseFailing(limit: number): Promise<readonly string[]>;
  /** Pauses an ACTIVE schedule with INVALID_PARAMETERS if nobody has changed or checked it since it was read. Returns whether it did. */
  pauseUnfit(read: Pick<Schedule, "id" | "revision" | "definitionVersion">): Promise<boolean>;
  /** Pauses a schedule that is overdue by at least `overdueMs`. Returns whether it paused the schedule. */
  pauseUnserved(id: string, overdueMs: number): Promise<boolean>;
}
