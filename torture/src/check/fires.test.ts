import { expect, it } from "vitest";
import { checkFires, type SeenFire } from "./fires.ts";

const at = new Date("2026-01-01T00:00:01Z");
const time = { scheduleId: "nightly", at, setAt: at.getTime() - 1_000 };
const fire: SeenFire = {
  scheduleId: "nightly",
  scheduledFor: at,
  outcome: "STARTED",
  because: null,
  reportId: "a",
};
const report = { id: "a", scheduleId: "nightly" };

it("finds nothing where each time is one fire and one report", () => {
  expect(checkFires([time], [fire], [report, { id: "by hand", scheduleId: null }], []).violations).toEqual([]);
});

it.each([
  ["a time that was not fired", [time], [], []],
  ["a fire that nobody set", [], [fire], [report]],
  ["a time that was fired twice", [time], [fire, { ...fire, reportId: "b" }], [report, { ...report, id: "b" }]],
  ["a fire that was skipped", [time], [{ ...fire, outcome: "SKIPPED", because: "MISSED", reportId: null }], []],
  ["a fire whose report is lost", [time], [fire], []],
  ["a fire whose report is another schedule's", [time], [fire], [{ ...report, scheduleId: "weekly" }]],
  ["a second report of a fire", [time], [fire], [report, { ...report, id: "b" }]],
] as const)("finds %s", (_, expected, fires, records) => {
  expect(checkFires(expected, fires, records, []).violations).not.toEqual([]);
});

it("expects a time that was open when Postgres's clock was set back to be computed again", () => {
  const unfiredAround = (from: number, to: number): readonly unknown[] =>
    checkFires([time], [], [], [{ from: at.getTime() + from, to: at.getTime() + to }]).violations;
  expect(unfiredAround(-5_000, 20_000)).toEqual([]);
  expect(unfiredAround(3_000, 20_000)).toEqual([]);
  expect(unfiredAround(60_000, 80_000)).not.toEqual([]);
  expect(unfiredAround(-80_000, -60_000)).not.toEqual([]);
});
