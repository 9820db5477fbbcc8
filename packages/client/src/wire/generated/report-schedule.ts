// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { Open } from "../open.ts";
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
  /** ID of the schedule. */
  readonly id: string;
  /** Name that the owner chose. */
  readonly name: string;
  /** Type of the reports. */
  readonly reportType: string;
  readonly searchParam: NormalisedSearchParam;
  /** Options of the reports, as they were given. Other options have their defaults at each run. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Cron pattern: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone of the cron pattern. */
  readonly timezone: string;
  /** The schedule does not run before this time; null if it runs from its creation on. */
  readonly startsAt: string | null;
  /** The schedule does not run after this time; null if it runs without an end. */
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** Why the schedule is paused; null unless it is PAUSED. */
  readonly pausedBecause: {
    readonly code: SchedulePauseCause;
    /** The cause and the remedy, for its owner. */
    readonly detail: string;
  } | null;
  /**
   * Why the report type does not accept the schedule; null if it does. A schedule that a new version of its type
   * refuses is paused.
   */
  readonly unfitBecause: {
    /** The cause. Later versions can add codes. */
    readonly code: Open<"INVALID_PARAMETERS" | "UNKNOWN_REPORT_TYPE">;
    /** The problems of filters and options, for its owner. */
    readonly detail: string;
  } | null;
  readonly missed: MissedPolicy;
  /** A missed time is run only if it is at most this many seconds old. */
  readonly missedWithinSeconds: number;
  readonly overlap: OverlapPolicy;
  /** When the schedule runs next; null if it will not run. */
  readonly nextFireAt: string | null;
  /** The next five times at which the schedule runs. */
  readonly nextFires: readonly string[];
  /** The latest run; null before the first. */
  readonly lastFire: ReportScheduleFire | null;
  /** The principal in whose name the reports are started. */
  readonly owner: string;
  /** When the schedule was created. */
  readonly createdAt: string;
  /** Time of the latest change by a caller, or of a pause or end by the service. Runs do not count. */
  readonly updatedAt: string;
}

/** One run of a schedule: a time and its outcome. */
export interface ReportScheduleFire {
  /** ID of the run. */
  readonly id: string;
  /** The schedule to which the run belongs. */
  readonly scheduleId: string;
  /** The time of the schedule that was due. For a run by hand, the time of the request. */
  readonly scheduledFor: string;
  /** When a worker handled the due time. For a run by hand, the same as scheduledFor. */
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  readonly because: FireCause | null;
  /** The report that was started. Null if nothing was started or the caller may not see it. */
  readonly reportId: string | null;
  /**
   * Number of times that the run covers. It is above 1 if many times were skipped; scheduledFor is then the last of
   * them.
   */
  readonly count: number;
}

/** A schedule to create. Omitted fields take their defaults. */
export interface ReportScheduleInput {
  /** Name of the schedule, for people. */
  readonly name: string;
  /** Type of the reports. It cannot be changed. */
  readonly reportType: string;
  /** Filters of the reports. Relative times are resolved at each run. */
  readonly searchParam?: Readonly<Record<string, unknown>> | string | null | undefined;
  /**
   * Options of the reports, as in POST /v1/reports. The default of the option timezone is the timezone of the schedule.
   */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Cron pattern: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone of the cron pattern. */
  readonly timezone?: string | undefined;
  /** The schedule does not run before this time (RFC 3339 with an offset); null if it runs from its creation on. */
  readonly startsAt?: string | null | undefined;
  /** The schedule does not run after this time (RFC 3339 with an offset); null if it runs without an end. */
  readonly endsAt?: string | null | undefined;
  readonly missed?: MissedPolicy | undefined;
  /** A missed time is run only if it is at most this many seconds old; from 0 to 604800. */
  readonly missedWithinSeconds?: number | undefined;
  readonly overlap?: OverlapPolicy | undefined;
  readonly status?: ScheduleStatus | undefined;
}
