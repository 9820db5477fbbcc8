// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type {
  FireCause,
  FireOutcome,
  MissedPolicy,
  OverlapPolicy,
  SchedulePauseCause,
  ScheduleStatus,
} from "./enumerations.ts";
import type { NormalisedSearchParam } from "./report.ts";

/** A schedule that starts reports. */
export interface ReportSchedule {
  /** Id of the schedule. */
  readonly id: string;
  /** Name that the owner chose. */
  readonly name: string;
  /** The type of its reports. */
  readonly reportType: string;
  readonly searchParam: NormalisedSearchParam;
  /** Those options of its reports that were given; the others take their defaults each time. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone on whose clocks it fires. */
  readonly timezone: string;
  /** Before this time it does not fire. */
  readonly startsAt: string | null;
  /** After this time it does not fire. */
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** Null unless it is PAUSED. */
  readonly pausedBecause: {
    readonly code: SchedulePauseCause;
    /** The cause and the remedy, for its owner. */
    readonly detail: string;
  } | null;
  readonly missed: MissedPolicy;
  /** How many seconds after its time a fire that was missed is still started. */
  readonly missedWithinSeconds: number;
  readonly overlap: OverlapPolicy;
  /** When it fires next. */
  readonly nextFireAt: string | null;
  /** The next five times. */
  readonly nextFires: readonly string[];
  readonly lastFire: ReportScheduleFire | null;
  /** The principal in whose name its reports are started. */
  readonly owner: string;
  /** When it was made. */
  readonly createdAt: string;
  /** Time of the latest change by a caller, or of a pause or end by the service. Runs do not count. */
  readonly updatedAt: string;
}

/** One run of a schedule: a time and its outcome. */
export interface ReportScheduleFire {
  /** Id of the fire. */
  readonly id: string;
  /** The schedule that fired. */
  readonly scheduleId: string;
  /** The time of the schedule, or the time at which a caller ran it. */
  readonly scheduledFor: string;
  /** When a worker came to it. */
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  readonly because: FireCause | null;
  /** The report that was started. Null if nothing was started or the caller may not see it. */
  readonly reportId: string | null;
  /** How many times were skipped together; this is the last of them. */
  readonly count: number;
}

/** A schedule to create. Fields that are left out take their defaults. */
export interface ReportScheduleInput {
  /** Name for people. */
  readonly name: string;
  /** The type of its reports; it cannot be changed. */
  readonly reportType: string;
  /** Filters, in which times may be relative to each fire. */
  readonly searchParam?: Readonly<Record<string, unknown>> | string | null | undefined;
  /** Options of its reports, as POST /v1/reports takes them; timezone is that of the schedule by default. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone on whose clocks it fires. */
  readonly timezone?: string | undefined;
  /** Before this time it does not fire. */
  readonly startsAt?: string | null | undefined;
  /** After this time it does not fire. */
  readonly endsAt?: string | null | undefined;
  readonly missed?: MissedPolicy | undefined;
  /** How many seconds after its time a fire that was missed is still started. */
  readonly missedWithinSeconds?: number | undefined;
  readonly overlap?: OverlapPolicy | undefined;
  readonly status?: ScheduleStatus | undefined;
}
