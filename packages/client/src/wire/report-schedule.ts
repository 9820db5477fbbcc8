import type { FireOutcome, MissedPolicy, OverlapPolicy, SchedulePauseCause, ScheduleStatus } from "./enumerations.ts";
import type { Open } from "./open.ts";
import type { FilterValue } from "./report.ts";

/** What starts reports by itself. Times are RFC 3339 in UTC. docs/contract.md §10.1. */
export interface ReportSchedule {
  readonly id: string;
  readonly name: string;
  readonly reportType: string;
  /** Its times may be relative to each fire. */
  readonly searchParam: Readonly<Record<string, FilterValue | readonly FilterValue[]>>;
  /** Those options of its reports that were given; the others take their defaults each time. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone on whose clocks it fires. */
  readonly timezone: string;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** Null unless it is PAUSED. */
  readonly pausedBecause: {
    readonly code: SchedulePauseCause;
    readonly detail: string;
  } | null;
  readonly missed: MissedPolicy;
  readonly missedWithinSeconds: number;
  readonly overlap: OverlapPolicy;
  readonly nextFireAt: string | null;
  /** The next five times. */
  readonly nextFires: readonly string[];
  readonly lastFire: ReportScheduleFire | null;
  /** The principal in whose name its reports are started. */
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What came of one time of a schedule. docs/contract.md §10.3. */
export interface ReportScheduleFire {
  readonly id: string;
  readonly scheduleId: string;
  readonly scheduledFor: string;
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  /** Why nothing was started. */
  readonly because: Open<
    | "MISSED"
    | "OVERLOADED"
    | "PREVIOUS_STILL_RUNNING"
    | "INVALID_PARAMETERS"
    | "AUTHORITY_REVOKED"
    | "OWNER_NOT_SEEN"
    | "KEEPS_FAILING"
    | "UNKNOWN_REPORT_TYPE"
  > | null;
  readonly reportId: string | null;
  /** How many times were skipped together; this is the last of them. */
  readonly count: number;
}

/** A schedule to make. Fields that are left out take their defaults. */
export interface ReportScheduleInput {
  readonly name: string;
  readonly reportType: string;
  readonly searchParam?: Readonly<Record<string, FilterValue | readonly FilterValue[] | null>> | string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly cron: string;
  readonly timezone?: string | undefined;
  readonly startsAt?: string | null | undefined;
  readonly endsAt?: string | null | undefined;
  readonly status?: ScheduleStatus | undefined;
  readonly missed?: "LATEST" | "SKIP" | undefined;
  readonly missedWithinSeconds?: number | undefined;
  readonly overlap?: "SKIP" | "ALLOW" | undefined;
}
