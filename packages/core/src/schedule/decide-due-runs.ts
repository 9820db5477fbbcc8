import type { StartInput } from "../report/request/start-input.ts";
import type { ScheduleCalendar } from "./schedule-calendar.ts";
import type { Schedule } from "./schedule-record.ts";
import {
  maxScheduleFailuresInRow,
  maxUnfinishedPerSchedule,
  type ScheduleRunCause,
  type RunOutcome,
  type OwnerAuthorityState,
  type SchedulePauseCause,
} from "./schedule-values.ts";

export interface DueSchedule extends Schedule {
  readonly nextFireAt: Date;
  /** The due time that is postponed because the report's lane is overloaded; null if none is postponed. */
  readonly heldFor: Date | null;
  readonly now: Date;
  readonly ownership: OwnerAuthorityState;
  readonly openReports: number;
  readonly failuresInRow: number;
}

export interface DecidedRun {
  readonly scheduledFor: Date;
  readonly outcome: RunOutcome;
  readonly because: ScheduleRunCause | null;
  readonly count: number;
}

export interface DueRunsDecision {
  /** Records of the runs, in time order. Only the last can be STARTED, and `start` is then its report. */
  readonly rows: readonly DecidedRun[];
  readonly start: StartInput | null;
  readonly pause: SchedulePauseCause | null;
  readonly next: Date | null;
  /** The last due time that this decision handles. `next` is the first run time after it. */
  readonly countedFrom: Date;
  readonly heldFor: Date | null;
}

export interface DecideDueRunsDeps {
  readonly calendar: ScheduleCalendar;
  /** Returns the report start for a run at that time; null if the report type no longer accepts the schedule's options or filters. */
  readonly read: (at: Date) => StartInput | null;
  readonly isOverloaded: boolean;
}

/** A run that is later than this counts as missed. Workers look for due schedules every few seconds. */
const maxOnTimeMs = 60_000;
const maxSkippedRows = 100;
/** Missed times above this number are not counted, because the calendar computes them one by one. */
const maxCountedTimes = 10_000;

/** Decides which of the passed times run, are skipped or wait. Only the latest can start a report. All workers decide alike for equal input. */
export function decideDueRuns(deps: DecideDueRunsDeps, due: DueSchedule): DueRunsDecision {
  const times = listDueTimes(deps.calendar, due);
  const latest = times.at(-1)!;
  const earlier = times.slice(0, -1);
  const nowMs = due.now.getTime();
  const lateMs = nowMs - latest.getTime();
  const isHeld = due.heldFor?.getTime() === latest.getTime();
  const canCatchUp = lateMs <= due.missedWithinSeconds * 1000 && (due.missed === "LATEST" || isHeld);
  const skipped = createSkippedRows(earlier, due.heldFor);
  const finish = (
    row: Pick<DecidedRun, "outcome" | "because">,
    more: Partial<DueRunsDecision> = {},
  ): DueRunsDecision => ({
    rows: [...skipped, { ...row, scheduledFor: latest, count: 1 }],
    start: null,
    pause: null,
    next: computeNextRunTime(deps.calendar, due, latest),
    countedFrom: latest,
    heldFor: null,
    ...more,
  });
  const refuse = (pause: SchedulePauseCause): DueRunsDecision =>
    finish({ outcome: "REFUSED", because: pause }, { pause });
  if (lateMs > maxOnTimeMs && !canCatchUp)
    return finish({ outcome: "SKIPPED", because: isHeld ? "OVERLOADED" : "MISSED" });
  if (due.ownership === "lost") return refuse("AUTHORITY_REVOKED");
  if (due.ownership === "not-seen") return refuse("OWNER_NOT_SEEN");
  if (due.failuresInRow >= maxScheduleFailuresInRow) return refuse("KEEPS_FAILING");
  if (due.openReports >= (due.overlap === "SKIP" ? 1 : maxUnfinishedPerSchedule))
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

export function computeNextRunTime(
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

function listDueTimes(calendar: ScheduleCalendar, due: DueSchedule): readonly Date[] {
  const times = [due.nextFireAt];
  const end = Math.min(due.now.getTime(), due.endsAt?.getTime() ?? Infinity);
  let isWhole = false;
  for (const instant of calendar.timesAfter(due, due.nextFireAt)) {
    isWhole = instant.getTime() > end;
    if (isWhole || times.length >= maxCountedTimes) break;
    times.push(instant);
  }
  if (isWhole || times.length < maxCountedTimes) return times;
  // After months without a worker, there are too many times to list. Only the times that may still start a report are added.
  for (const instant of calendar.timesAfter(due, new Date(end - due.missedWithinSeconds * 1000 - 1))) {
    if (instant.getTime() > end) break;
    if (instant > times.at(-1)!) times.push(instant);
  }
  return times;
}

function createSkippedRows(times: readonly Date[], heldFor: Date | null): readonly DecidedRun[] {
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
