import { expect, test } from "vitest";
import { readPatch } from "./write-schedule.ts";

const stored = { searchParam: { severity: ["WARN"], q: "example" } };

test("a patch holds only the given flags, and null for those of --reset", () => {
  const flags = { cron: "0 7 * * 1", format: "pdf", reset: ["endsAt", "options.timezone"] };
  expect(readPatch(stored, flags)).toEqual({
    cron: "0 7 * * 1",
    endsAt: null,
    options: { format: "pdf", timezone: null },
  });
});

test("--where sets its filters, and with --reset where removes all others", () => {
  const where = ["severity=EXPIRED", "severity=CRITICAL"];
  expect(readPatch(stored, { where })).toEqual({ searchParam: { severity: ["EXPIRED", "CRITICAL"] } });
  expect(readPatch(stored, { where, reset: ["searchParam"] })).toEqual({
    searchParam: { severity: ["EXPIRED", "CRITICAL"], q: null },
  });
});

test("an edit without flags is refused", () => {
  expect(() => readPatch(stored, {})).toThrow("There is nothing to change.");
});
