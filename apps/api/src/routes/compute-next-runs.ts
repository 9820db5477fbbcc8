import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { computeNextRunTime, maxShownScheduleRuns, type Schedule, type ScheduleCalendar } from "@reports/core/schedule";
import { LRUCache } from "lru-cache";

export type RepeatingSchedule = Pick<Schedule, "cron" | "timezone" | "startsAt" | "endsAt" | "nextFireAt">;

export type ComputeNextRuns = (schedule: RepeatingSchedule) => Promise<readonly Date[]>;

const maxCachedSchedules = 5_000;

/** Returns a function that computes and caches the next run times of a schedule. A rare cron pattern takes milliseconds per time, so other requests run in between. */
export function createNextRunsComputer(calendar: ScheduleCalendar): ComputeNextRuns {
  const cached = new LRUCache<string, readonly Date[]>({ max: maxCachedSchedules });
  return async (schedule) => {
    const { cron, timezone, startsAt, endsAt, nextFireAt } = schedule;
    if (nextFireAt === null) return [];
    const key = JSON.stringify([cron, timezone, startsAt, endsAt, nextFireAt]);
    const found = cached.get(key);
    if (found !== undefined) return found;
    const runs = [nextFireAt];
    while (runs.length < maxShownScheduleRuns) {
      const next = computeNextRunTime(calendar, schedule, runs.at(-1)!);
      await yieldToEventLoop();
      if (next === null) break;
      runs.push(next);
    }
    cached.set(key, runs);
    return runs;
  };
}
