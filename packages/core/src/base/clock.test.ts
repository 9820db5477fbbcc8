import { expect, test, vi } from "vitest";
import { createMonotonicClock } from "./clock.ts";

test("a clock of createMonotonicClock ignores changes of the machine's wall clock", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("1999-01-01T00:00:00Z") });
  try {
    let monotonicMs = 5_000;
    const now = createMonotonicClock(new Date("2026-11-22T12:00:00.250Z"), () => monotonicMs);
    expect(now()).toEqual(new Date("2026-11-22T12:00:00.250Z"));
    monotonicMs += 90_000;
    vi.setSystemTime(new Date("2040-01-01T00:00:00Z"));
    expect(now()).toEqual(new Date("2026-11-22T12:01:30.250Z"));
  } finally {
    vi.useRealTimers();
  }
});
