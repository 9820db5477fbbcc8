import type { StartInput } from "../report/request/start-input.ts";
import type { ScheduleCalendar } from "./schedule-calendar.ts";
import type { Schedule } from "./schedule-record.ts";
import {
  maxFailuresInRow,
  maxOpenReports,
  type RunCause,
  type RunOutcome,
  type ScheduleOwnership,
  type SchedulePauseCause,
} from "./schedule-values.ts";

/** A due schedule with everything on which its run depends, read in one transaction. */
export interface DueSchedule extends Schedule {
  readonly nextFireAt: Date;
  /** The time that waits because the lane is overloaded, or null. */
  readonly heldFor: Date | null;
  /** Postgres's clock. */
  readonly now: Date;
  readonly ownership: ScheduleOwnership;
  /** Unfinished reports, counted up to maxOpenReports. */
  readonly openReports: number;
  /** Latest reports that failed for good in a row, counted up to maxFailuresInRow. */
  readonly failuresInRow: number;
}

export interface RunRow {
  readonly scheduledFor: Date;
  readonly outcome: RunOutcome;
  readonly because: RunCause | null;
  readonly count: number;
}

export interface DueDecision {
  /** In time order. A STARTED one is the last, and `start` is its report. */
  readonly rows: readonly RunRow[];
  readonly start: StartInput | null;
  readonly pause: SchedulePauseCause | null;
  /** Null: never again. */
  readonly next: Date | null;
  /** The last time handled; `next` follows it. */
  readonly countedFrom: Date;
  readonly heldFor: Date | null;
}

export interface DecideDeps {
  readonly calendar: ScheduleCalendar;
  /** Reads the start at that time. Throws DomainError if the type no longer accepts it. */
  readonly read: (at: Date) => StartInput | null;
  /** Whether the report's lane is overloaded. */
  readonly isOverloaded: boolean;
}

/** Later runs count as missed: workers check every few seconds. */
const onTimeMs = 60_000;
const maxSkippedRows = 100;
/** Beyond this, the number of missed times is not exact. */
const maxCounted = 10_000;

/** Decides about the times that have passed; at most the latest is started. Pure: equal facts give equal verdicts on every worker. */
export function decideDueRuns(deps: DecideDeps, due: DueSchedule): DueDecision {
  const times = dueTimes(deps.calendar, due);
  const latest = times.at(-1)!;
  const earlier = times.slice(0, -1);
  const nowMs = due.now.getTime();
  const lateMs = nowMs - latest.getTime();
  const isHeld = due.heldFor?.getTime() === latest.getTime();
  const canCatchUp = lateMs <= due.missedWithinSeconds * 1000 && (due.missed === "LATEST" || isHeld);
  const skipped = skippedRows(earlier, due.heldFor);
  const finish = (row: Pick<RunRow, "outcome" | "because">, more: Partial<DueDecision> = {}): DueDecision => ({
    rows: [...skipped, { ...row, scheduledFor: latest, count: 1 }],
    start: null,
    pause: null,
    next: nextOf(deps.calendar, due, latest),
    countedFrom: latest,
    heldFor: null,
    ...more,
  });
  const refuse = (pause: SchedulePauseCause): DueDecision => finish({ outcome: "REFUSED", because: pause }, { pause });
  if (lateMs > onTimeMs && !canCatchUp)
    return finish({ outcome: "SKIPPED", because: isHeld ? "OVERLOADED" : "MISSED" });
  if (due.ownership === "lost") return refuse("AUTHORITY_REVOKED");
  if (due.ownership === "not-seen") return refuse("OWNER_NOT_SEEN");
  if (due.failuresInRow >= maxFailuresInRow) return refuse("KEEPS_FAILING");
  if (due.openReports >= (due.overlap === "SKIP" ? 1 : maxOpenReports))
    return finish({ outcome: "SKIPPED", because: "PREVIOUS_STILL_RUNNING" });
  if (deps.isOverloaded) {
    const countedFrom = earlier.at(-1) ?? new Date(latest.getTime() - 1);
    return { rows: skipped, start: null, pause: null, next: latest, countedFrom, heldFor: latest };
  }
  const start = deps.read(latest);
  return start === null
    ? finish({ outcome: "REFUSED", because: "INVALID_PARAMETERS" })
    : finish({ outcome: "STARTED", because: null }, { start });
}

/** Null if it is over by then. */
export function nextOf(
  calendar: ScheduleCalendar,
  schedule: Pick<Schedule, "cron" | "timezone" | "startsAt" | "endsAt">,
  after: Date,
): Date | null {
  const begin =
    schedule.startsAt === null ? after : new Date(Math.max(after.getTime(), schedule.startsAt.getTime() - 1));
  for (const instant of calendar.timesAfter(schedule, begin))
    return schedule.endsAt !== null && instant > schedule.endsAt ? null : instant;
  return null;
}

function dueTimes(calendar: ScheduleCalendar, due: DueSchedule): readonly Date[] {
  const times = [due.nextFireAt];
  const end = Math.min(due.now.getTime(), due.endsAt?.getTime() ?? Infinity);
  let isWhole = false;
  for (const instant of calendar.timesAfter(due, due.nextFireAt)) {
    isWhole = instant.getTime() > end;
    if (isWhole || times.length >= maxCounted) break;
    times.push(instant);
  }
  if (isWhole || times.length < maxCounted) return times;
  // After months without a worker, only times that may still start are enumerated.
  for (const instant of calendar.timesAfter(due, new Date(end - due.missedWithinSeconds * 1000 - 1))) {
    if (instant.getTime() > end) break;
    if (instant > times.at(-1)!) times.push(instant);
  }
  return times;
}

/** One row per time, and one for all after the hundredth. */
function skippedRows(times: readonly Date[], heldFor: Date | null): readonly RunRow[] {
  const rows = times.slice(0, maxSkippedRows).map((scheduledFor) => ({
    scheduledFor,
    outcome: "SKIPPED" as const,
    because: heldFor?.getTime() === scheduledFor.getTime() ? ("OVERLOADED" as const) : ("MISSED" as const),
    count: 1,
  }));
  const rest = times.length - rows.length;
  return rest === 0
    ? rows
    : [...rows, { scheduledFor: times.at(-1)!, outcome: "SKIPPED", because: "MISSED", count: rest }];
}
