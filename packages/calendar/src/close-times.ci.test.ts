import { expect, test } from "vitest";
import { createScheduleCalendar } from "./schedule-calendar.ts";

const calendar = createScheduleCalendar();
const patterns = ["0,50 1,3 * * 0", "0,40 0,23 1,31 * *", "30 2,4 * * 6,7", "5 * 25-31 3 *"];
const zones = ["UTC", "Europe/Amsterdam", "Australia/Lord_Howe", "Asia/Beirut"];

test.each(zones.flatMap((timezone) => patterns.map((cron) => [cron, timezone] as const)))(
  "closeTimes of the pattern %s in %s agrees with a search through 28 years of runs",
  (cron, timezone) => {
    const shortestGap = shortestGapOf(cron, timezone);
    for (const minutes of [15, 30, 60, 61, 120])
      expect([minutes, calendar.closeTimes({ cron, timezone }, minutes) !== null]).toEqual([
        minutes,
        shortestGap < minutes,
      ]);
  },
);

function shortestGapOf(cron: string, timezone: string): number {
  let [last, smallest] = [-Infinity, Infinity];
  for (const run of calendar.timesAfter({ cron, timezone }, new Date("2025-01-01T00:00:00Z"))) {
    if (run.getTime() > Date.UTC(2053, 0, 1)) break;
    smallest = Math.min(smallest, run.getTime() - last);
    last = run.getTime();
  }
  return smallest / 60_000;
}
