import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { ReportLane } from "../base/vocabulary.ts";
import type { DueSchedule, DueDecision } from "./decide-due-runs.ts";
import type { ScheduleRun } from "./run-record.ts";
import type { Schedule, ScheduleSettings } from "./schedule-record.ts";
import type { ScheduleOwnership, ScheduleStatus } from "./schedule-values.ts";

export interface NewSchedule extends ScheduleSettings {
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string | null;
  readonly definitionVersion: number;
  readonly requiredAuthority: string | null;
}

/** A schedule's run times, as computed at some moment; `nextFireAt` null: never again. */
export interface SchedulePlan {
  readonly nextFireAt: Date | null;
  readonly tzVersion: string;
}

export interface ScheduleChange {
  readonly settings: ScheduleSettings;
  readonly definitionVersion: number;
  readonly status: ScheduleStatus;
  /** Set if times, zone or pattern change, or it is resumed; null keeps the next run. */
  readonly plan: SchedulePlan | null;
  /** Whether the owner made the change with the authority. */
  readonly confirms: boolean;
  /** The owner's current name; unchanged if another caller made the change. */
  readonly ownerName: string | null;
}

/** Schedules, for callers. All methods reject with StoreUnavailableError. */
export interface ScheduleStore {
  /** Null, without writing, if the owner has `most`. `plan` gets Postgres's time. */
  create(schedule: NewSchedule, plan: (now: Date) => SchedulePlan, most: number): Promise<Schedule | null>;
  /** Includes deleted ones; null if unknown. */
  find(id: string): Promise<Schedule | null>;
  /** Only of this owner, unless null. */
  list(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<Schedule>>;
  /**
   * Changes the schedule while no run or other change can happen. Rethrows errors of `change`; null leaves it. An unchanged schedule keeps
   * its revision, but the owner is confirmed. Null if deleted or unknown.
   */
  change(id: string, change: (stored: Schedule, now: Date) => ScheduleChange | null): Promise<Schedule | null>;
  /** Makes it a tombstone, unless `precondition` throws. Its reports stay. */
  remove(id: string, precondition: (stored: Schedule) => void): Promise<void>;
  listRuns(
    query: CollectionQuery & { readonly scheduleId: string },
    signal: AbortSignal,
  ): Promise<CollectionPage<ScheduleRun>>;
  findRun(scheduleId: string, id: string): Promise<ScheduleRun | null>;
  /** The owner's current rights to its reports; a bearer's are trusted for `confirmDays`. `lost` if unknown. */
  ownership(id: string, confirmDays: number): Promise<ScheduleOwnership>;
  /** Records that the owner was seen with these authorities. Returns the number of schedules. */
  confirmOwner(owner: string, authorities: readonly string[]): Promise<number>;
}

export interface CompletedRun {
  readonly decision: DueDecision;
  /** Postgres's clock. */
  readonly at: Date;
  readonly reportId: string | null;
}

export interface RunContext {
  readonly newId: () => string;
  readonly lane: ReportLane;
  readonly maxFailures: number;
  /** Days for which the authority of an unseen bearer is trusted. */
  readonly confirmDays: number;
}

/** Schedules, for workers. Postgres's clock decides. All methods reject with StoreUnavailableError. */
export interface DueSchedules {
  /** Due schedules of these or older zone rules, the longest overdue first after `after`. Without latest runs. */
  listDue(tzVersion: string, limit: number, after?: Pick<Schedule, "id" | "nextFireAt">): Promise<readonly Schedule[]>;
  /**
   * Locks and judges a schedule, and writes its runs, report with event and job, and next time in one transaction. Null if it is not due any
   * more, is locked, or `decide` leaves it to others.
   */
  run(
    id: string,
    tzVersion: string,
    context: RunContext,
    decide: (due: DueSchedule) => DueDecision | null,
  ): Promise<CompletedRun | null>;
  /** Recomputes next runs of older rules, or from before the clock was set back. Undefined keeps one. Returns their number. */
  recompute(
    tzVersion: string,
    nextOf: (schedule: Schedule, countedFrom: Date) => Date | null | undefined,
    limit: number,
  ): Promise<number>;
  /** Pauses at most `limit` ACTIVE schedules whose latest reports keep failing for good, due or not. Returns their IDs. */
  pauseFailing(limit: number): Promise<readonly string[]>;
  /** Pauses a schedule overdue for so long. Returns whether it did. */
  pauseUnserved(id: string, overdueMs: number): Promise<boolean>;
}
