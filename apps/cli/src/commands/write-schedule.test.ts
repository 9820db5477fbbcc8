import { expect, test } from "vitest";
import { readSchedulePatch } from "./write-schedule.ts";

const stored = { searchParam: { severity: ["WARN"], q: "example" }, timezone: "Europe/Berlin" };

test("a schedule's patch contains only the given flags, and null for fields of --reset", () => {
  const flags = { cron: "0 7 * * 1", format: "pdf", reset: ["endsAt", "options.timezone"] };
  expect(readSchedulePatch(stored, flags)).toEqual({
    cron: "0 7 * * 1",
    endsAt: null,
    options: { format: "pdf", timezone: null },
  });
});

test("schedules edit --where sets its filters; --reset where removes all others", () => {
  const filters = { severity: ["EXPIRED", "CRITICAL"] };
  expect(readSchedulePatch(stored, {}, filters)).toEqual({ searchParam: filters });
  expect(readSchedulePatch(stored, { reset: ["searchParam"] }, filters)).toEqual({
    searchParam: { severity: ["EXPIRED", "CRITICAL"], q: null },
  });
});

test("`schedules edit` without flags is refused", () => {
  expect(() => readSchedulePatch(stored, {})).toThrow("There is nothing to change.");
});

test("schedules edit reads a time in words in the schedule's time zone", () => {
  const flags = { where: [], startsAt: "1.7.2027", endsAt: "2028-01-01T00:00:00Z" };
  expect(readSchedulePatch(stored, flags)).toEqual({
    startsAt: "2027-07-01T00:00:00+02:00",
    endsAt: "2028-01-01T00:00:00Z",
  });
});
