import { instantOfLocal, localTimeAt } from "@reports/core/query";
import type { ScheduleCalendar } from "@reports/core/schedule";
import { closeTimesOf } from "./close-times.ts";
import { knownPattern, readPattern, type CronPattern } from "./cron-pattern.ts";

/**
 * Turns cron patterns into instants. A pattern with the hour `*` counts elapsed time: it runs whenever the clocks match, twice in a repeated
 * hour. Any other names local times that run once a day: the first in a repeated hour, the first moment after a gap, where several are one.
 * docs/decisions/0045-schedules-fire-once.md.
 */
export function createScheduleCalendar(): ScheduleCalendar {
  const calendar: ScheduleCalendar = {
    // The rules of Node's Intl; without any (small-icu) there are no time zones either.
    tzVersion: process.versions["tz"] ?? "",
    problemOf: (cron) => {
      const pattern = readPattern(cron);
      return typeof pattern === "string" ? pattern : null;
    },
    closeTimes: (rule, minMinutes) => closeTimesOf(rule, minMinutes, calendar.timesAfter),
    timesAfter: ({ cron, timezone }, after) => ({
      [Symbol.iterator]: () => {
        const pattern = knownPattern(cron);
        return pattern.everyHour ? elapsed(pattern, timezone, after) : named(pattern, timezone, after);
      },
    }),
  };
  return calendar;
}

/** Maps every local time to one instant, in order. */
function* named(pattern: CronPattern, timezone: string, after: Date): Generator<Date, undefined> {
  let last = after.getTime();
  // The local time then has already occurred at `after` or before.
  let local = pattern.next(localTimeAt(last, timezone));
  for (; local !== null; local = pattern.next(local)) {
    const instant = instantOfLocal(local, timezone);
    if (instant <= last) continue;
    yield new Date(instant);
    last = instant;
  }
}

/** Follows the clocks through their changes. */
function* elapsed(pattern: CronPattern, timezone: string, after: Date): Generator<Date, undefined> {
  let instant = after.getTime();
  let local = localTimeAt(instant, timezone);
  for (;;) {
    const next = pattern.next(local);
    if (next === null) return;
    const offset = local - instant;
    const candidate = next - offset;
    if (localTimeAt(candidate, timezone) === next) {
      yield new Date(candidate);
      [instant, local] = [candidate, next];
    } else {
      // Just before the new offset's first moment, in its local time: that moment may match.
      const changed = firstOfOtherOffset(instant, candidate, offset, timezone);
      [instant, local] = [changed - 1, localTimeAt(changed, timezone) - 1];
    }
  }
}

function firstOfOtherOffset(from: number, to: number, offset: number, timezone: string): number {
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (localTimeAt(middle, timezone) - middle === offset) same = middle;
    else other = middle;
  }
  return other;
}
