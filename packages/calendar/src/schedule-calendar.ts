import { bisect, toInstantMs, toLocalTimeMs } from "@reports/core/base";
import type { ScheduleCalendar } from "@reports/core/schedule";
import { describeTooCloseRuns } from "./close-times.ts";
import { parseCronPatternOrThrow, parseCronPattern, type CronPattern } from "./cron-pattern.ts";

/**
 * Creates a calendar that turns cron patterns into instants. A pattern with the hour `*` runs whenever the clocks match, so twice in a repeated
 * hour. Any other pattern runs once per local time: at its first occurrence in a repeated hour. Local times in a gap run once together, at the end
 * of the gap. docs/decisions/0045-schedules-fire-once.md.
 */
export function createScheduleCalendar(): ScheduleCalendar {
  const calendar: ScheduleCalendar = {
    // The version of the time zone rules in Node's Intl. A Node without ICU data has no version and no time zones.
    tzVersion: process.versions["tz"] ?? "",
    problemOf: (cron) => {
      const pattern = parseCronPattern(cron);
      return typeof pattern === "string" ? pattern : null;
    },
    closeTimes: (rule, minMinutes) => describeTooCloseRuns(rule, minMinutes, calendar.timesAfter),
    timesAfter: ({ cron, timezone }, after) => ({
      [Symbol.iterator]: () => {
        const pattern = parseCronPatternOrThrow(cron);
        return pattern.everyHour
          ? runsByElapsedTime(pattern, timezone, after)
          : runsByLocalTime(pattern, timezone, after);
      },
    }),
  };
  return calendar;
}

/**
 * Yields one instant per matching local time, even if that local time occurs twice because clocks are set back. Used for patterns whose hour is not
 * `*`.
 */
function* runsByLocalTime(pattern: CronPattern, timezone: string, after: Date): Generator<Date, undefined> {
  let last = after.getTime();
  // The search begins after the local time of `after`, because a run at that time has already happened.
  let local = pattern.next(toLocalTimeMs(last, timezone));
  for (; local !== null; local = pattern.next(local)) {
    const instant = toInstantMs(local, timezone);
    if (instant <= last) continue;
    yield new Date(instant);
    last = instant;
  }
}

/** Yields every instant at which the clocks match the pattern, also twice in an hour that clocks repeat. Used for patterns whose hour is `*`. */
function* runsByElapsedTime(pattern: CronPattern, timezone: string, after: Date): Generator<Date, undefined> {
  let instant = after.getTime();
  let local = toLocalTimeMs(instant, timezone);
  for (;;) {
    const next = pattern.next(local);
    if (next === null) return;
    const offset = local - instant;
    const candidate = next - offset;
    if (toLocalTimeMs(candidate, timezone) === next) {
      yield new Date(candidate);
      [instant, local] = [candidate, next];
    } else {
      // The search continues one millisecond before the clock change, in the new local time, because the first local time after the change may
      // match.
      const changed = bisect(instant, candidate, (at) => toLocalTimeMs(at, timezone) - at === offset);
      [instant, local] = [changed - 1, toLocalTimeMs(changed, timezone) - 1];
    }
  }
}
