import type { InputIssue } from "../base/errors.ts";
import { computeNextRunTime } from "./decide-due-runs.ts";
import type { ScheduleCalendar } from "./schedule-calendar.ts";
import { invalidScheduleError, scheduleFieldIssue } from "./schedule-input.ts";
import type { NextRunPlan } from "./schedule-store.ts";
import type { ScheduleSettings } from "./schedule-record.ts";

export interface ScheduleTimingRules {
  readonly calendar: ScheduleCalendar;
  /** Smallest allowed number of minutes between two runs of a schedule; 0 allows any distance. */
  readonly minMinutes: number;
}

type Timing = Pick<ScheduleSettings, "cron" | "timezone" | "startsAt" | "endsAt">;

/** Checks the times of a schedule that becomes active at `now`. Skips undefined fields, because the caller has already reported them as invalid. */
export function findTimingIssues(
  { calendar, minMinutes }: ScheduleTimingRules,
  { cron, timezone, startsAt, endsAt }: Partial<Timing>,
  now: Date,
): readonly InputIssue[] {
  const issues: InputIssue[] = [];
  const isEmpty = startsAt instanceof Date && endsAt instanceof Date && startsAt >= endsAt;
  if (isEmpty) issues.push(scheduleFieldIssue("startsAt", "empty_range", "must be before endsAt."));
  if (cron === undefined) return issues;
  const problem = calendar.problemOf(cron);
  if (problem !== null) return [...issues, scheduleFieldIssue("cron", "invalid_value", problem)];
  if (isEmpty || timezone === undefined || startsAt === undefined || endsAt === undefined) return issues;
  const timing = { cron, timezone, startsAt, endsAt };
  if (computeNextRunTime(calendar, timing, now) === null) return [neverRunsIssue(calendar, timing, now)];
  const close = calendar.closeTimes(timing, minMinutes);
  const wanted = `must leave at least ${minMinutes} minutes between two times`;
  return close === null ? [] : [scheduleFieldIssue("cron", "too_often", `${wanted}, but it fires at ${close}.`)];
}

export function planFirstRunOrThrow(rules: ScheduleTimingRules, timing: Timing, now: Date): NextRunPlan {
  const issues = findTimingIssues(rules, timing, now);
  if (issues.length > 0) throw invalidScheduleError(issues);
  return { nextFireAt: computeNextRunTime(rules.calendar, timing, now), tzVersion: rules.calendar.tzVersion };
}

export function toTimingKey({ cron, timezone, startsAt, endsAt }: Partial<Timing>): string {
  return JSON.stringify([cron, timezone, startsAt, endsAt]);
}

/** Says why a valid pattern never matches: none of its months has its day, as in 30 February. */
function describeMissingDay(cron: string): string {
  const [, , day, month] = cron.split(" ");
  return `no month of "${month}" has day "${day}"`;
}

function neverRunsIssue(calendar: ScheduleCalendar, timing: Timing, now: Date): InputIssue {
  const runs = (other: Partial<Timing>): boolean => computeNextRunTime(calendar, { ...timing, ...other }, now) !== null;
  if (runs({ endsAt: null }))
    return scheduleFieldIssue("endsAt", "never_fires", "is before the first time at which the schedule would fire.");
  return runs({ endsAt: null, startsAt: null })
    ? scheduleFieldIssue("startsAt", "never_fires", "is after the last time at which the schedule would fire.")
    : scheduleFieldIssue("cron", "never_fires", `never matches a date: ${describeMissingDay(timing.cron)}.`);
}
