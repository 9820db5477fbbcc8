import { setImmediate as turn } from "node:timers/promises";
import { nextOf, shownFires, type Schedule, type ScheduleCalendar } from "@reports/core/schedule";
import { LRUCache } from "lru-cache";

export type FiringSchedule = Pick<Schedule, "cron" | "timezone" | "startsAt" | "endsAt" | "nextFireAt">;

export type NextFires = (schedule: FiringSchedule) => Promise<readonly Date[]>;

const maxKept = 5_000;

/** Caches computed times: those of a rare pattern take milliseconds. Other requests run after each. */
export function createNextFires(calendar: ScheduleCalendar): NextFires {
  const kept = new LRUCache<string, readonly Date[]>({ max: maxKept });
  return async (schedule) => {
    const { cron, timezone, startsAt, endsAt, nextFireAt } = schedule;
    if (nextFireAt === null) return [];
    const key = JSON.stringify([cron, timezone, startsAt, endsAt, nextFireAt]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const fires = [nextFireAt];
    while (fires.length < shownFires) {
      const next = nextOf(calendar, schedule, fires.at(-1)!);
      await turn();
      if (next === null) break;
      fires.push(next);
    }
    kept.set(key, fires);
    return fires;
  };
}
