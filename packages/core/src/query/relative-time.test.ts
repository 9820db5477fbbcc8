import { describe, expect, test } from "vitest";
import {
  normaliseRelativeTime,
  relativeTimePattern,
  resolveRelativeDay,
  resolveRelativeTime,
} from "./relative-time.ts";

const at = (text: string, now: string, timezone = "UTC"): string | null =>
  resolveRelativeTime(text, { now: new Date(now), timezone });

test.each([
  ["today", "2025-12-31T23:30:00Z", "Europe/Berlin", "2026-01-01"],
  ["thisYear", "2025-12-31T23:30:00Z", "Europe/Berlin", "2026-01-01"],
  ["thisYear", "2026-01-01T00:30:00Z", "America/New_York", "2025-01-01"],
  ["now", "2026-08-19T13:45:00Z", "UTC", "2026-08-19"],
  ["now-P1M", "2026-03-31T13:45:00Z", "UTC", "2026-02-28"],
  ["now-PT14H", "2026-08-19T13:45:00Z", "UTC", "2026-08-18"],
  ["today+P1DT36H", "2026-08-19T13:45:00Z", "UTC", "2026-08-21"],
  // Chile's clocks skipped the midnight at which this day begins. Samoa skipped 30 December 2011.
  ["today", "2026-09-06T12:00:00Z", "America/Santiago", "2026-09-06"],
  ["today-P1D", "2011-12-30T12:00:00Z", "Pacific/Apia", "2011-12-30"],
  ["today+P99999Y", "2026-08-19T13:45:00Z", "UTC", null],
  ["2026-08-19", "2026-08-19T13:45:00Z", "UTC", null],
])("the relative time %s at %s in %s is on the day %s", (text, now, timezone, day) => {
  expect(resolveRelativeDay(text, { now: new Date(now), timezone })).toBe(day);
});

describe("meanings of relative times", () => {
  const now = "2026-08-19T13:45:10.250Z";
  test.each([
    ["now", "2026-08-19T13:45:10.25Z"],
    ["today", "2026-08-19T00:00:00Z"],
    ["thisWeek", "2026-08-17T00:00:00Z"],
    ["thisMonth", "2026-08-01T00:00:00Z"],
    ["thisQuarter", "2026-07-01T00:00:00Z"],
    ["thisYear", "2026-01-01T00:00:00Z"],
    ["thisMonth-P1M", "2026-07-01T00:00:00Z"],
    ["thisQuarter-P3M", "2026-04-01T00:00:00Z"],
    ["now+P30D", "2026-09-18T13:45:10.25Z"],
    ["now P30D", "2026-09-18T13:45:10.25Z"],
    ["now-PT90M", "2026-08-19T12:15:10.25Z"],
    ["today+P1Y2M3D", "2027-10-22T00:00:00Z"],
    ["today-P2W", "2026-08-05T00:00:00Z"],
    ["today+P1DT6H30M", "2026-08-20T06:30:00Z"],
    ["now+PT1H30M15S", "2026-08-19T15:15:25.25Z"],
  ])("the relative time %s resolves to %s", (text, instant) => {
    expect(at(text, now)).toBe(instant);
    expect(text).toMatch(relativeTimePattern);
  });

  test.each([
    ["today", "2026-08-20T00:30:00Z", "America/New_York", "2026-08-19T04:00:00Z"],
    ["thisWeek", "2026-08-23T23:30:00Z", "Asia/Tokyo", "2026-08-23T15:00:00Z"],
    ["thisWeek", "2026-08-23T23:30:00Z", "UTC", "2026-08-17T00:00:00Z"],
    ["thisYear", "2026-12-31T23:30:00Z", "Pacific/Kiritimati", "2026-12-31T10:00:00Z"],
  ])("at %2$s in the zone %3$s, the relative time %1$s resolves to %4$s", (text, moment, timezone, instant) => {
    expect(at(text, moment, timezone)).toBe(instant);
  });
});

describe("calendars", () => {
  test.each([
    ["now-P1M", "2026-03-31T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["now-P1M", "2028-03-31T10:00:00Z", "2028-02-29T10:00:00Z"],
    ["now+P1M", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z"],
    ["now-P1Y", "2028-02-29T10:00:00Z", "2027-02-28T10:00:00Z"],
    ["now+P4Y", "2024-02-29T10:00:00Z", "2028-02-29T10:00:00Z"],
    ["now+P1Y", "2099-02-28T10:00:00Z", "2100-02-28T10:00:00Z"],
    ["now+P1M1D", "2026-01-31T10:00:00Z", "2026-03-01T10:00:00Z"],
    ["thisMonth+P1M", "2026-12-15T10:00:00Z", "2027-01-01T00:00:00Z"],
    ["thisYear-P1D", "2027-06-01T00:00:00Z", "2026-12-31T00:00:00Z"],
  ])("calendar arithmetic resolves %s at %s to %s", (text, moment, instant) => {
    expect(at(text, moment)).toBe(instant);
  });
});

describe("changes of the clock", () => {
  test.each([
    ["a day of 23 hours is one day", "now+P1D", "2027-03-27T12:00:00Z", "Europe/Amsterdam", "2027-03-28T11:00:00Z"],
    ["24 hours are 24 hours", "now+PT24H", "2027-03-27T12:00:00Z", "Europe/Amsterdam", "2027-03-28T12:00:00Z"],
    ["a day of 25 hours is one day", "now+P1D", "2026-10-24T12:00:00Z", "Europe/Amsterdam", "2026-10-25T13:00:00Z"],
    [
      "a local time in a gap is the end of the gap",
      "now+P1D",
      "2027-03-27T01:30:00Z",
      "Europe/Amsterdam",
      "2027-03-28T01:00:00Z",
    ],
    [
      "a repeated local time is the first of the two",
      "now+P1D",
      "2026-10-24T00:30:00Z",
      "Europe/Amsterdam",
      "2026-10-25T00:30:00Z",
    ],
    [
      "now is exact in the second of two equal hours",
      "now",
      "2026-10-25T01:30:00Z",
      "Europe/Amsterdam",
      "2026-10-25T01:30:00Z",
    ],
    [
      "elapsed hours count from the second of two equal hours",
      "now-PT1H",
      "2026-10-25T01:30:00Z",
      "Europe/Amsterdam",
      "2026-10-25T00:30:00Z",
    ],
    [
      "a day without a midnight begins later",
      "today",
      "2026-09-06T15:00:00Z",
      "America/Santiago",
      "2026-09-06T04:00:00Z",
    ],
    [
      "a day with two midnights begins at the first",
      "today",
      "2026-11-01T15:00:00Z",
      "America/Havana",
      "2026-11-01T04:00:00Z",
    ],
    [
      "a clock that changes by half an hour",
      "now+P1D",
      "2026-10-03T15:45:00Z",
      "Australia/Lord_Howe",
      "2026-10-04T15:45:00Z",
    ],
    [
      "a skipped local day is the end of the gap",
      "now-P1D",
      "2011-12-31T00:00:00Z",
      "Pacific/Apia",
      "2011-12-30T10:00:00Z",
    ],
  ])("around a daylight saving change, %s: %s at %s in %s resolves to %s", (_, text, moment, timezone, instant) => {
    expect(at(text, moment, timezone)).toBe(instant);
  });
});

test.each([
  "",
  "yesterday",
  "Now",
  "now+",
  "now+P",
  "now+PT",
  "now+P1DT",
  "now+1D",
  "now+P1D+P1D",
  "now++P1D",
  "now  P1D",
  "now+P-1D",
  "now+P1.5D",
  "now+P1Y1M1D1W",
  "now+P1Y1M1DT1H",
  "now+PT1H1D",
  "now+P1M1Y",
  "now+P123456D",
  " now",
  "today\n",
])("normaliseRelativeTime and resolveRelativeTime refuse the text %j", (text) => {
  expect(normaliseRelativeTime(text)).toBeNull();
  expect(at(text, "2026-08-19T13:45:10Z")).toBeNull();
});

test("resolveRelativeTime returns null for a time outside the years 1000 to 9999", () => {
  for (const text of ["now+P7974Y", "now-P1027Y", "now+P99999Y", "now-P99999Y"]) {
    expect(at(text, "2026-08-19T13:45:10Z")).toBeNull();
  }
  expect(at("now+P7973Y", "2026-08-19T13:45:10Z")).toBe("9999-08-19T13:45:10Z");
});

test("normaliseRelativeTime reads a space as a plus sign that a query did not encode", () => {
  expect(normaliseRelativeTime("now P30D")).toBe("now+P30D");
  expect(normaliseRelativeTime("thisMonth-P1M")).toBe("thisMonth-P1M");
});
