import { describe, expect, test } from "vitest";
import { describeTime, describeTimeRange } from "./describe-time.ts";
import { parseTime, parseTimeRange, parseTimeRangeEnd } from "./parse-time.ts";

describe("times that people type", () => {
  test.each([
    ["now", "now"],
    [" In 30  Days ", "now+P30D"],
    ["30d", "now+P30D"],
    ["+2w", "now+P2W"],
    ["30 days ago", "now-P30D"],
    ["-12h", "now-PT12H"],
    ["in 90 min", "now+PT90M"],
    ["3 months", "now+P3M"],
    ["in a year", "now+P1Y"],
    ["today", "today"],
    ["yesterday", "today-P1D"],
    ["this month", "thisMonth"],
    ["last quarter", "thisQuarter-P3M"],
    ["next week", "thisWeek+P1W"],
    ["31.01.2026", "2026-01-31T00:00:00+01:00"],
    ["1.7.2026", "2026-07-01T00:00:00+02:00"],
    ["2026-01-31", "2026-01-31T00:00:00+01:00"],
    ["31/01/2026", "2026-01-31T00:00:00+01:00"],
    ["01/31/2026", "2026-01-31T00:00:00+01:00"],
    ["31 Jan 2026", "2026-01-31T00:00:00+01:00"],
    ["January 31, 2026", "2026-01-31T00:00:00+01:00"],
    ["31.01.2026 8:05", "2026-01-31T08:05:00+01:00"],
    ["2026-01-31T08:05", "2026-01-31T08:05:00+01:00"],
    ["now+P30D", "now+P30D"],
    ["today P1DT6H", "today+P1DT6H"],
    ["2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z"],
  ])("parseTime reads %j in Berlin as %s", (text, expected) => {
    expect(parseTime(text, { timezone: "Europe/Berlin" })).toEqual({ value: expected });
  });

  test("with the direction past, parseTime reads 30d as 30 days ago", () => {
    expect(parseTime("7d", { direction: "past" })).toEqual({ value: "now-P7D" });
    expect(parseTimeRange("7d", { direction: "past" })).toEqual({ value: { from: "now-P7D", to: "now" } });
    expect(parseTime("in 7d", { direction: "past" })).toEqual({ value: "now+P7D" });
  });

  test.each([
    ["01/02/2026", "can mean 1 February or 2 January. Write 01.02.2026 (day first) or 2026-01-02."],
    ["3m", "can mean minutes or months. Write 3 min or 3 months."],
    ["31.01.26", "has a year of two digits. Write four digits, such as 31.01.2026."],
    ["31.02.2026", "is a day or a time that does not exist."],
    ["2026-01-31 24:00", "is a day or a time that does not exist."],
    ["soon", "is not a time. Write 30d, in 30 days, 31.01.2026, 2026-01-31, today or this month."],
    ["", "is not a time. Write 30d, in 30 days, 31.01.2026, 2026-01-31, today or this month."],
  ])("parseTime says in one line why %j is not a time", (text, expected) => {
    expect(parseTime(text).wrong).toBe(`${JSON.stringify(text)} ${expected}`);
  });

  test("parseTime and parseTimeRange quote only the beginning of a long text", () => {
    for (const text of ["x".repeat(70), `1.1.2026 to ${"9".repeat(100_000)}`]) {
      expect(parseTimeRange(text).wrong!.length).toBeLessThan(160);
    }
  });

  test.each([
    ["30d", { from: "now", to: "now+P30D" }],
    ["within 30 days", { from: "now", to: "now+P30D" }],
    ["in the next 2 weeks", { from: "now", to: "now+P2W" }],
    ["in 30 days", { from: "now", to: "now+P30D" }],
    ["last 7 days", { from: "now-P7D", to: "now" }],
    ["in the last 24 hours", { from: "now-PT24H", to: "now" }],
    ["7 days ago", { from: "now-P7D", to: "now" }],
    ["expired", { to: "now" }],
    ["today", { from: "today", to: "today+P1D" }],
    ["this month", { from: "thisMonth", to: "thisMonth+P1M" }],
    ["next quarter", { from: "thisQuarter+P3M", to: "thisQuarter+P6M" }],
    ["31.01.2026", { from: "2026-01-31T00:00:00Z", to: "2026-02-01T00:00:00Z" }],
    ["from 1.1.2026 to 31.1.2026", { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }],
    ["between yesterday and in 2 weeks", { from: "today-P1D", to: "now+P2W" }],
    ["2026-01-01..2026-01-31", { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }],
    ["from now to today+P1D", { from: "now", to: "today+P1D" }],
    ["Between thisMonth AND now+P30D", { from: "thisMonth", to: "now+P30D" }],
    ["thisYear..Tomorrow", { from: "thisYear", to: "today+P2D" }],
    ["before 31.01.2026", { to: "2026-01-31T00:00:00Z" }],
    ["until 31.01.2026", { to: "2026-02-01T00:00:00Z" }],
    ["after yesterday", { from: "today" }],
    ["since thisMonth-P1M", { from: "thisMonth-P1M" }],
  ])("parseTimeRange reads %j", (text, expected) => {
    expect(parseTimeRange(text)).toEqual({ value: expected });
  });

  test.each(["constructor", "__proto__", "toString", "valueOf"])("the text %j is not a time", (text) => {
    for (const { wrong } of [parseTime(text), parseTimeRange(text), parseTimeRangeEnd(text, "to")]) {
      expect(wrong).toMatch(/^".+" is not a time\./);
    }
  });

  test("parseTimeRange asks for a second time if the text is one moment", () => {
    expect(parseTimeRange("now").wrong).toMatch(/^"now" is one moment\. Write before or after/);
    expect(parseTimeRange("1.1.2026 to 01/02/2026").wrong).toMatch(/^"01\/02\/2026" can mean/);
  });

  test.each([
    ["31.1.2026 to 1.1.2026", '"1.1.2026" is not after "31.1.2026". Write the earlier time first.'],
    ["2026-01-02T00:00:00Z..1.1.2026", '"1.1.2026" is not after "2026-01-02T00:00:00Z". Write the earlier time first.'],
  ])("parseTimeRange refuses %j, which ends before it begins", (text, expected) => {
    expect(parseTimeRange(text).wrong).toBe(expected);
  });

  test.each(["from", "to"] as const)("parseTimeRangeEnd refuses a range and empty text as %j", (end) => {
    const range = "is a range of times. Write one time here.";
    expect(parseTimeRangeEnd("1.1.2026 to 31.1.2026", end).wrong).toBe(`"1.1.2026 to 31.1.2026" ${range}`);
    expect(parseTimeRangeEnd("last 7 days", end).wrong).toBe(`"last 7 days" ${range}`);
    expect(parseTimeRangeEnd(" ", end).wrong).toMatch(/^"" is not a time\. Write 30d/);
  });

  test("parseTime and describeTime use UTC if the time zone is unknown", () => {
    expect(parseTime("31.01.2026", { timezone: "Mars" })).toEqual({ value: "2026-01-31T00:00:00Z" });
    expect(describeTime("2026-01-31T08:00:00Z", { timezone: "Mars" })).toBe("31 Jan 2026, 08:00 UTC");
  });

  test("the last day that the API accepts ends with the last moment of the year 9999", () => {
    const end = (timezone: string) => parseTimeRange("31.12.9999", { timezone }).value?.to;
    expect(["UTC", "Europe/Berlin", "America/New_York"].map(end)).toEqual([
      "9999-12-31T23:59:59.999Z",
      "9999-12-31T23:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
    ]);
    expect(parseTimeRangeEnd("31.12.9999", "to").value).toBe("9999-12-31T23:59:59.999Z");
  });

  test.each([
    ["31.12.9999 22:00", "America/New_York"],
    ["1.1.1000", "Europe/Berlin"],
  ])("parseTime refuses %j in %s, because the API accepts only the years 1000 to 9999", (text, timezone) => {
    expect(parseTime(text, { timezone }).wrong).toBe(
      `${JSON.stringify(text)} is outside the years 1000 to 9999 in UTC.`,
    );
  });

  test("if the clocks skip or repeat midnight, a day starts at its first moment", () => {
    const at = (text: string, timezone: string) => new Date(parseTime(text, { timezone }).value ?? "").toISOString();
    expect(at("6.9.2026", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z");
    expect(at("1.11.2026", "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
  });
});

describe("times in words", () => {
  test.each([
    ["now", "now"],
    ["now+P30D", "in 30 days"],
    ["now+P1D", "in 1 day"],
    ["now-PT12H", "12 hours ago"],
    ["today", "today"],
    ["today-P1D", "yesterday"],
    ["today+P1DT6H", "1 day and 6 hours after the start of today"],
    ["thisMonth", "the start of this month"],
    ["thisMonth-P1M", "the start of last month"],
    ["thisQuarter+P3M", "the start of next quarter"],
    ["thisYear-P2D", "2 days before the start of this year"],
    ["2026-01-30T23:00:00Z", "31 Jan 2026"],
    ["2026-01-31T07:05:00Z", "31 Jan 2026, 08:05 CET"],
    ["next year", "next year"],
    ["now+P", "now+P"],
    ["today+P5", "today+P5"],
    ["01/02/2026", "01/02/2026"],
  ])("describeTime writes %s in Berlin as %j", (time, expected) => {
    expect(describeTime(time, { timezone: "Europe/Berlin" })).toBe(expected);
  });

  test.each([
    [{}, "any time"],
    [{ to: "now" }, "in the past"],
    [{ from: "now", to: "now+P30D" }, "within 30 days"],
    [{ from: "now-P7D", to: "now" }, "in the last 7 days"],
    [{ from: "now-P1D", to: "now" }, "in the last day"],
    [{ from: "now", to: "now+P" }, "from now to now+P"],
    [{ from: "now-P", to: "now" }, "from now-P to now"],
    [{ to: "now+P" }, "before now+P"],
    [{ to: "now+P30D" }, "up to 30 days from now"],
    [{ to: "now-P30D" }, "more than 30 days ago"],
    [{ from: "now+P30D" }, "in 30 days or later"],
    [{ from: "now-P7D" }, "from 7 days ago"],
    [{ from: "thisMonth", to: "thisMonth+P1M" }, "this month"],
    [{ from: "thisWeek-P1W", to: "thisWeek" }, "last week"],
    [{ from: "today", to: "today+P1D" }, "today"],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }, "from 1 Jan to 31 Jan 2026"],
    [{ from: "2025-12-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }, "from 1 Dec 2025 to 31 Jan 2026"],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }, "on 1 Jan 2026"],
    [{ from: "now", to: "2026-02-01T00:00:00Z" }, "from now to 31 Jan 2026"],
    [{ from: "2026-01-01T08:00:00Z", to: "now" }, "from 1 Jan 2026, 08:00 UTC to now"],
    [{ to: "2026-02-01T00:00:00Z" }, "before 1 Feb 2026"],
    [{ from: "2026-02-01T00:00:00Z" }, "from 1 Feb 2026"],
  ])("describeTimeRange writes %j as %j", (range, expected) => {
    expect(describeTimeRange(range)).toBe(expected);
  });

  test("with `expires`, describeTimeRange calls a range up to now expired", () => {
    expect(describeTimeRange({ to: "now" }, { expires: true })).toBe("expired");
    expect(describeTimeRange({ to: "now+P30D" }, { expires: true })).toBe("expired or within 30 days");
  });
});

test("a day at the end of a range is included, and times of the API are not changed", () => {
  const read = (text: string, end: "from" | "to") => parseTimeRangeEnd(text, end, { direction: "past" }).value;
  expect([read("31.01.2026", "from"), read("31.01.2026", "to")]).toEqual([
    "2026-01-31T00:00:00Z",
    "2026-02-01T00:00:00Z",
  ]);
  expect([read("7d", "to"), read("thisMonth", "to"), read("this month", "to")]).toEqual([
    "now-P7D",
    "thisMonth",
    "thisMonth+P1M",
  ]);
});
