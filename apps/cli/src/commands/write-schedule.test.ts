import { expect, test } from "vitest";
import { readPatch } from "./write-schedule.ts";

const stored = { searchParam: { severity: ["WARN"], q: "example" }, timezone: "Europe/Berlin" };

test("a patch holds only the given flags, and null for those of --reset", () => {
  const flags = { cron: "0 7 * * 1", format: "pdf", reset: ["endsAt", "options.timezone"] };
  expect(readPatch(stored, flags)).toEqual({
    cron: "0 7 * * 1",
    endsAt: null,
    options: { format: "pdf", timezone: null },
  });
});

test("--where sets its filters, and with --reset where removes all others", () => {
  const filters = { severity: ["EXPIRED", "CRITICAL"] };
  expect(readPatch(stored, {}, filters)).toEqual({ searchParam: filters });
  expect(readPatch(stored, { reset: ["searchParam"] }, filters)).toEqual({
    searchParam: { severity: ["EXPIRED", "CRITICAL"], q: null },
  });
});

test("an edit without flags is refused", () => {
  expect(() => readPatch(stored, {})).toThrow("There is nothing to change.");
});

test("times of a schedule are read in words, in its time zone", () => {
  const flags = { where: [], startsAt: "1.7.2027", endsAt: "2028-01-01T00:00:00Z" };
  expect(readPatch(stored, flags)).toEqual({ startsAt: "2027-07-01T00:00:00+02:00", endsAt: "2028-01-01T00:00:00Z" });
});
