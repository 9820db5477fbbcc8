import { expect, it } from "vitest";
import { computeTrueEventTime } from "./clock-jumps.ts";

const minute = 60_000;
const start = Date.parse("2026-01-01T12:00:00Z");
const jump = { from: start, to: start + minute, aheadMs: 10 * minute, firstEvent: 10, lastEvent: 20 };
const trueMinuteOf = (id: number, minutes: number) =>
  (computeTrueEventTime({ id, at: new Date(start + minutes * minute) }, [jump]).getTime() - start) / minute;

it("computeTrueEventTime subtracts the jump from a time that the wrong clock wrote", () => {
  expect(trueMinuteOf(15, 10.5)).toBe(0.5);
});

it("computeTrueEventTime keeps the time of an event that is not part of the clock's jump", () => {
  expect(trueMinuteOf(10, -0.1)).toBe(-0.1);
  expect(trueMinuteOf(11, 0)).toBe(0);
  // By its time, the event could be from the wrong clock. But its ID is above `lastEvent`, so it was written after the jump and its time is right.
  expect(trueMinuteOf(300, 10.5)).toBe(10.5);
});
