import { expect, test } from "vitest";
import { judgeTry, retryDelaysMs, type TryOutcome } from "./delivery.ts";

const fresh = { tries: 0, failuresInARow: 0, failingForMs: null };
const unreachable: TryOutcome = { kind: "unreachable", code: "TIMED_OUT", found: "TIMED_OUT" };
const answered = (status: number, retryAfterMs: number | null = null): TryOutcome => ({
  kind: "answered",
  status,
  retryAfterMs,
});
const middle = () => 0.5;
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test("after the first try it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then no more", () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((tries) => judgeTry({ ...fresh, tries }, unreachable, 1, middle));
  expect(delays.map((each) => each.kind === "failed" && each.nextInMs)).toEqual([
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    10 * hour,
    null,
  ]);
});

test("every delay is at most a fifth shorter or longer", () => {
  for (const [tries, delay] of retryDelaysMs.entries()) {
    expect(judgeTry({ ...fresh, tries }, unreachable, 1, () => 0)).toMatchObject({ nextInMs: delay * 0.8 });
    expect(judgeTry({ ...fresh, tries }, unreachable, 1, () => 1)).toMatchObject({ nextInMs: delay * 1.2 });
  }
});

test.each([
  [null, null],
  [5 * day - 1, null],
  [5 * day, "FAILING"],
])("a webhook whose tries have all failed for %s ms is paused: %s", (failingForMs, pause) => {
  expect(judgeTry({ ...fresh, failingForMs }, unreachable, 1, middle)).toMatchObject({ kind: "failed", pause });
  expect(judgeTry({ ...fresh, failingForMs }, answered(204), 7, middle)).toEqual({
    kind: "delivered",
    status: 204,
    durationMs: 7,
    restMs: 0,
  });
});

test("whoever took longer than a second to answer rests for as long as that took", () => {
  for (const durationMs of [1_000, 14_000])
    expect(judgeTry(fresh, answered(200), durationMs, middle)).toMatchObject({ kind: "delivered", restMs: durationMs });
  expect(judgeTry(fresh, unreachable, 15_000, middle)).toMatchObject({ kind: "failed", restMs: 15_000 });
});

test.each([
  [0, 5 * second],
  [1, 10 * second],
  [6, 320 * second],
  [7, 10 * minute],
  [1_000, 10 * minute],
])("after %i failures in a row an endpoint rests for %i ms", (failuresInARow, restMs) => {
  expect(judgeTry({ ...fresh, failuresInARow }, unreachable, 1, middle)).toMatchObject({ restMs });
});

test.each([
  [429, 20 * minute, 20 * minute],
  [503, 20 * minute, 20 * minute],
  [503, 5 * hour, hour],
  [503, null, 5 * second],
  [500, 20 * minute, 5 * second],
])("status %i that asks for %s ms is tried again after %i ms", (status, retryAfterMs, nextInMs) => {
  expect(judgeTry(fresh, answered(status, retryAfterMs), 1, middle)).toMatchObject({ nextInMs, restMs: nextInMs });
});

test.each([
  [410, "GONE", null, "GONE"],
  [301, "REDIRECTED", 5 * second, null],
  [199, "BAD_STATUS", 5 * second, null],
  [404, "BAD_STATUS", 5 * second, null],
])("status %i is %s", (status, code, nextInMs, pause) => {
  expect(judgeTry(fresh, answered(status), 1, middle)).toMatchObject({ kind: "failed", code, nextInMs, pause });
});
