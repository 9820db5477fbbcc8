import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { ReportLane } from "../base/vocabulary.ts";
import type { DueSchedule, DueVerdict } from "./judge-due.ts";
import type { ScheduleFire } from "./fire-record.ts";
import type { Schedule, ScheduleSettings } from "./schedule-record.ts";
import type { ScheduleOwnership, ScheduleStatus } from "./schedule-values.ts";

/** A schedule that is to be made, checked. */
export interface NewSchedule extends ScheduleSettings {
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string | null;
  readonly definitionVersion: number;
  readonly requiredAuthority: string | null;
}

/** When a schedule fires, as it was computed at some moment; `nextFireAt` null: never again. */
export interface SchedulePlan {
  readonly nextFireAt: Date | null;
  readonly tzVersion: string;
}

/** What somebody changes of a schedule. */
export interface ScheduleChange {
  readonly settings: ScheduleSettings;
  readonly definitionVersion: number;
  readonly status: ScheduleStatus;
  /** A new one, where times, zone or pattern change, or it is resumed; null leaves the next fire as it is. */
  readonly plan: SchedulePlan | null;
  /** Whether the owner made the change with the authority in hand. */
  readonly confirms: boolean;
  /** As the owner is called by now; of somebody else's change as it was. */
  readonly ownerName: string | null;
}

/** Schedules, for callers. All methods reject with StoreUnavailableError. */
export interface ScheduleStore {
  /** Null, and nothing is written, when the owner has as many as one may have. `plan` is asked with Postgres's clock. */
  create(schedule: NewSchedule, plan: (now: Date) => SchedulePlan, most: number): Promise<Schedule | null>;
  /** The record, deleted ones included; null when there never was one. */
  find(id: string): Promise<Schedule | null>;
  /** Of this owner alone, unless null. */
  list(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<Schedule>>;
  /**
   * Changes the schedule while no fire and no other change of it can happen; what `change` throws is thrown, and null leaves it as it is. A
   * change to what it is already has no revision of its own, and confirms the owner all the same.
   * Null when it is deleted or unknown.
   */
  change(id: string, change: (stored: Schedule, now: Date) => ScheduleChange | null): Promise<Schedule | null>;
  /** Makes a tombstone of it, unless `precondition` throws. Its reports stay. */
  remove(id: string, precondition: (stored: Schedule) => void): Promise<void>;
  listFires(
    query: CollectionQuery & { readonly scheduleId: string },
    signal: AbortSignal,
  ): Promise<CollectionPage<ScheduleFire>>;
  findFire(scheduleId: string, id: string): Promise<ScheduleFire | null>;
  /** What the owner's rights to its reports are now, where a bearer is believed for so many days; `lost` of one that never was. */
  ownership(id: string, confirmDays: number): Promise<ScheduleOwnership>;
  /** Notes that the owner was seen with these authorities. Says of how many schedules. */
  confirmOwner(owner: string, authorities: readonly string[]): Promise<number>;
}

/** What a fire did, for logs and metrics. */
export interface FiredSchedule {
  readonly verdict: DueVerdict;
  /** Postgres's clock. */
  readonly at: Date;
  readonly reportId: string | null;
}

/** What one report of a fire begins with, beside its parameters. */
export interface FireContext {
  readonly newId: () => string;
  readonly lane: ReportLane;
  readonly maxFailures: number;
  /** After how many days without being seen a bearer's authority is not believed any more. */
  readonly confirmDays: number;
}

/** Schedules, for workers. Postgres's clock decides. All methods reject with StoreUnavailableError. */
export interface DueSchedules {
  /**
   * Those that are due and were computed with these rules of time zones or older ones, the longest overdue first; `after` is the last one of the
   * page before. Without their latest fires.
   */
  listDue(tzVersion: string, limit: number, after?: Pick<Schedule, "id" | "nextFireAt">): Promise<readonly Schedule[]>;
  /**
   * Locks the schedule, has it judged, and writes what comes of it: fires, report with event and job, and the next time, in one transaction.
   * Null when it is not due any more, is locked, or `judge` leaves it to others.
   */
  fire(
    id: string,
    tzVersion: string,
    context: FireContext,
    judge: (due: DueSchedule) => DueVerdict | null,
  ): Promise<FiredSchedule | null>;
  /**
   * Computes the next run of schedules again that was computed with older rules, or before Postgres's clock was set back. Where it is undefined,
   * it stays as it is. Returns how many there were.
   */
  recompute(
    tzVersion: string,
    nextOf: (schedule: Schedule, countedFrom: Date) => Date | null | undefined,
    limit: number,
  ): Promise<number>;
  /** Pauses ACTIVE schedules whose latest reports keep failing for good, at most `limit`, whenever they are due. Gives their ids. */
  pauseFailing(limit: number): Promise<readonly string[]>;
  /** Pauses a schedule that is due for so long. Says whether it did. */
  pauseUnserved(id: string, overdueMs: number): Promise<boolean>;
}
