import { expect, it } from "vitest";
import { checkScheduleRuns, type SeenRun } from "./schedule-runs.ts";

const at = new Date("2026-01-01T00:00:01Z");
const time = { scheduleId: "nightly", at, setAt: at.getTime() - 1_000 };
const run: SeenRun = {
  scheduleId: "nightly",
  scheduledFor: at,
  outcome: "STARTED",
  because: null,
  reportId: "a",
};
const report = { id: "a", scheduleId: "nightly" };

it("checkScheduleRuns reports nothing if each due time has one run and one report", () => {
  expect(checkScheduleRuns([time], [run], [report, { id: "by hand", scheduleId: null }], []).violations).toEqual([]);
});

it.each([
  ["a time without a run", [time], [], []],
  ["a run at a time that was not set", [], [run], [report]],
  ["a time with two runs", [time], [run, { ...run, reportId: "b" }], [report, { ...report, id: "b" }]],
  ["a run that was skipped", [time], [{ ...run, outcome: "SKIPPED", because: "MISSED", reportId: null }], []],
  ["a run whose report does not exist", [time], [run], []],
  ["a run whose report belongs to another schedule", [time], [run], [{ ...report, scheduleId: "weekly" }]],
  ["a second report of a run", [time], [run], [report, { ...report, id: "b" }]],
] as const)("checkScheduleRuns reports %s", (_, expected, runs, records) => {
  expect(checkScheduleRuns(expected, runs, records, []).violations).not.toEqual([]);
});

it("a scheduled run may be missing if Postgres's clock was set back when it was due", () => {
  const missingAround = (from: number, to: number): readonly unknown[] =>
    checkScheduleRuns([time], [], [], [{ from: at.getTime() + from, to: at.getTime() + to }]).violations;
  expect(missingAround(-5_000, 20_000)).toEqual([]);
  expect(missingAround(3_000, 20_000)).toEqual([]);
  expect(missingAround(60_000, 80_000)).not.toEqual([]);
  expect(missingAround(-80_000, -60_000)).not.toEqual([]);
});
