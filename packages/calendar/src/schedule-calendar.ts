import { instantOfLocal, localTimeAt } from "@reports/core/query";
import type { ScheduleCalendar } from "@reports/core/schedule";
import { closeTimesOf } from "./close-times.ts";
import { knownPattern, readPattern, type CronPattern } from "./cron-pattern.ts";

/**
 * Cron patterns as instants. A pattern whose hour is `*` counts elapsed time: it fires whenever the clocks show what it says, in a doubled hour
 * twice. Any other names local times, each of which fires once a day: in a doubled hour the first time, in a gap at the first moment after
 * it, where several in one gap are one. docs/decisions/0045-schedules-fire-once.md.
 */
export function createScheduleCalendar(): ScheduleCalendar {
  const calendar: ScheduleCalendar = {
    // Node.js says which rules its Intl has; without any (small-icu) there are no time zones either.
    tzVersion: process.versions["tz"] ?? "",
    problemOf: (cron) => {
      const pattern = readPattern(cron);
      return typeof pattern === "string" ? pattern : null;
    },
    closeTimes: (rule, minMinutes) => closeTimesOf(rule, minMinutes, calendar.firesAfter),
    firesAfter: ({ cron, timezone }, after) => ({
      [Symbol.iterator]: () => {
        const pattern = knownPattern(cron);
        return pattern.everyHour ? elapsed(pattern, timezone, after) : named(pattern, timezone, after);
      },
    }),
  };
  return calendar;
}

/** Every local time is mapped to its one instant; the map keeps their order. */
function* named(pattern: CronPattern, timezone: string, after: Date): Generator<Date, undefined> {
  let last = after.getTime();
  // What the clocks show by then has happened at `after` or before, for the first time at least.
  let local = pattern.next(localTimeAt(last, timezone));
  for (; local !== null; local = pattern.next(local)) {
    const instant = instantOfLocal(local, timezone);
    if (instant <= last) continue;
    yield new Date(instant);
    last = instant;
  }
}

/** Goes along the clocks, and sets them wherever they are set. */
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
      // Just before the first moment of the other offset, as the clocks will show it by then: what they show at that moment may fire.
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
