import { expect, test } from "vitest";
import { readTimeRangeEnd, listTimeRangeChoices, formatTimeRangeEnd } from "./list-time-range-choices.ts";

const berlin = { timezone: "Europe/Berlin", expires: true };

test.each([
  ["from", "31.01.2026", "2026-01-31T00:00:00+01:00"],
  ["to", "31.01.2026", "2026-02-01T00:00:00+01:00"],
  ["to", "today", "today+P1D"],
  ["to", "in 30 days", "now+P30D"],
  ["to", "30d", "now+P30D"],
  ["to", "this month", "thisMonth+P1M"],
  ["from", "thisMonth-P1M", "thisMonth-P1M"],
  ["to", "now+P1DT6H", "now+P1DT6H"],
  ["to", "2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z"],
] as const)("the end %s of a range reads %j as %s", (end, text, time) => {
  expect(readTimeRangeEnd(text, end, berlin)).toEqual({ value: time });
});

test.each([
  ["from", "2026-01-31T00:00:00+01:00", "31 Jan 2026"],
  ["to", "2026-01-31T23:00:00Z", "31 Jan 2026"],
  ["to", "now+P30D", "in 30 days"],
  ["to", "today", "yesterday"],
  ["to", "thisMonth", "last month"],
  ["from", "2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z"],
  ["from", "soon", "soon"],
] as const)("the end %s of a range shows %s as %j", (end, time, text) => {
  expect(formatTimeRangeEnd(time, end, berlin)).toBe(text);
});

test.each([
  ["from", "31.01.2026", "2026-01-31", "31 Jan 2026"],
  ["to", "2026-01-31", "2026-02-01", "31 Jan 2026"],
  ["to", "today", "today+P1D", "today"],
  ["to", "9999-12-31", "9999-12-31", "30 Dec 9999"],
] as const)("the end %s of a range of days reads %j as %s and shows it as %j", (end, text, day, shown) => {
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const options = { timezone, expires: false, days: true };
    expect(readTimeRangeEnd(text, end, options)).toEqual({ value: day });
    expect(formatTimeRangeEnd(day, end, options)).toBe(shown);
  }
  expect(readTimeRangeEnd("31.01.2026 08:00", end, { ...berlin, days: true }).wrong).toMatch(/has a time of day/);
  expect(readTimeRangeEnd("2026-01-31T08:00:00Z", end, { ...berlin, days: true }).wrong).toMatch(/has a time of day/);
});

test("the error of an end of a range names the text that it cannot read", () => {
  expect(readTimeRangeEnd("01/02/2026", "to", berlin).wrong).toMatch(/^"01\/02\/2026" can mean/);
  expect(readTimeRangeEnd("soon", "from", berlin).wrong).toMatch(/^"soon" is not a time/);
});

test("the duration `7d` in a filter for past times means the time seven days ago", () => {
  expect(readTimeRangeEnd("7d", "from", { timezone: "UTC", expires: false })).toEqual({ value: "now-P7D" });
});

test("the first proposed range is Expired for expiry times, and Today for past times", () => {
  expect(listTimeRangeChoices(true)[0]).toEqual({ label: "Expired", range: { to: "now" } });
  expect(listTimeRangeChoices(false)[0]?.label).toBe("Today");
});
