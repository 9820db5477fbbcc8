import { expect, test } from "vitest";
import {
  validateTimings,
  createFasterTimings,
  productionTimings,
  getScheduleLeaseMs,
  type WorkerTimings,
} from "./clocks.ts";

test("with an idle queue, a lost report runs again within 45 s of its worker's death", () => {
  const { life, rescue } = productionTimings;
  expect(life.deadAfterMs + rescue.everyMs + rescue.jitterMs + rescue.maxBackoffMs).toBeLessThanOrEqual(45_000);
});

test("createFasterTimings divides every interval and delay of a worker by the factor", () => {
  const clocks = createFasterTimings(5);
  expect(clocks.life).toEqual({ heartbeatMs: 800, graceMs: 3_000, deadAfterMs: 5_000, attemptHeartbeatMs: 200 });
  expect(clocks.retryDelaysMs).toEqual([2_000, 6_000, 12_000, 24_000]);
  expect(getScheduleLeaseMs(clocks)).toBe(800);
  expect(clocks.host).toMatchObject({ everyMs: 200, jitterMs: 20, longestRestMs: 12_000 });
});

const { life, rescue, host, schedules } = productionTimings;
test.each<[string, Partial<WorkerTimings>]>([
  ["a worker has three heartbeats", { life: { ...life, heartbeatMs: 5_000 } }],
  ["an attempt has three heartbeats", { life: { ...life, attemptHeartbeatMs: 5_000 } }],
  ["a worker ends itself before others", { life: { ...life, deadAfterMs: 19_000 } }],
  ["a report that is being queued", { rescue: { ...rescue, joblessAfterMs: 8_000 } }],
  ["a lease of schedules", { schedules: { ...schedules, jitterMs: 2_500 } }],
  ["rests grow", { host: { ...host, longestRestMs: 500 } }],
])("validateTimings refuses a worker's intervals that break the rule “%s”", (rule, change) => {
  expect(() => validateTimings({ ...productionTimings, ...change })).toThrow(rule);
});
