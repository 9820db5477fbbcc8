import { describe, expect, test } from "vitest";
import { createScheduleCalendar } from "./schedule-calendar.ts";

const calendar = createScheduleCalendar();
const amsterdam = "Europe/Amsterdam";

describe("close times", () => {
  test.each([
    ["0,5 6 * * *", "UTC", "06:00 and 06:05"],
    ["*/14 * * * *", "UTC", "00:00 and 00:14"],
    ["0,55 0,23 * * *", "UTC", "23:55 and 00:00 of the next day"],
    // 31 January and 1 February are consecutive days, although days 1 and 31 of one month are not.
    ["0,50 0,23 1,31 * *", "UTC", "23:50 and 00:00 of the next day"],
    // In years without a leap day, 1 March follows 28 February, so 23:50 and 00:00 are close.
    ["0,50 0,23 1,28 2,3 *", "UTC", "23:50 and 00:00 of the next day"],
    ["0,50 0,23 29 2 4#5", "UTC", null],
    ["0,50 1,3 * * *", "UTC", null],
    ["0,50 1,3 * * *", amsterdam, `2025-03-30 01:50 and 2025-03-30 03:00, when the clocks of ${amsterdam} are changed`],
    ["0,50 1,3 * * MON-SAT", amsterdam, null],
    // In some years, the clocks in Amsterdam change on 30 March, but never on 24 March.
    [
      "0,50 1,3 30 3 *",
      amsterdam,
      `2025-03-30 01:50 and 2025-03-30 03:00, when the clocks of ${amsterdam} are changed`,
    ],
    ["0,50 1,3 24 3 *", amsterdam, null],
    ["0 2 * * *", amsterdam, null],
    ["*/15 * * * *", amsterdam, null],
    ["0,50 0,2 * * *", "Africa/Cairo", null],
    [
      "0,50 1,23 * * 4,5",
      "Africa/Cairo",
      "2025-04-24 23:50 and 2025-04-25 01:00, when the clocks of Africa/Cairo are changed",
    ],
    ["55 1,2 * * *", "Australia/Lord_Howe", null],
    ["50 1,2 * * *", "Australia/Lord_Howe", null],
    ["50 1 * * *", "Australia/Lord_Howe", null],
    ["20,50 * * * *", "Australia/Lord_Howe", null],
  ])("for the cron pattern %s in %s, the times less than 15 minutes apart are: %s", (cron, timezone, words) => {
    expect(calendar.closeTimes({ cron, timezone }, 15)).toBe(words);
  });

  test("when clocks skip an hour, two daily runs are less than 1,440 minutes apart", () => {
    const daily = (timezone: string) => calendar.closeTimes({ cron: "0 6 * * *", timezone }, 1_440);
    expect(daily("UTC")).toBeNull();
    expect(daily(amsterdam)).toBe(`2025-03-29 06:00 and 2025-03-30 06:00, when the clocks of ${amsterdam} are changed`);
    expect(calendar.closeTimes({ cron: "0 6 * * *", timezone: amsterdam }, 1_380)).toBeNull();
  });

  test.each([0, 1])("closeTimes returns null if the minimum distance is %i minutes", (minutes) => {
    expect(calendar.closeTimes({ cron: "* * * * *", timezone: amsterdam }, minutes)).toBeNull();
  });

  test("closeTimes throws RangeError for an invalid cron pattern", () => {
    expect(() => calendar.closeTimes({ cron: "@daily", timezone: "UTC" }, 15)).toThrow(RangeError);
  });
});
