import { expect, test } from "vitest";
import { evaluateDeliveryAttempt, deliveryRetryDelaysMs, type DeliveryAttemptOutcome } from "./delivery.ts";

const fresh = { tries: 0, postponed: 0, failuresInARow: 0, failingForMs: null };
const unreachable: DeliveryAttemptOutcome = { kind: "unreachable", code: "TIMED_OUT", found: "TIMED_OUT" };
const answered = (status: number, retryAfterMs: number | null = null): DeliveryAttemptOutcome => ({
  kind: "answered",
  status,
  retryAfterMs,
});
const middle = () => 0.5;
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test("a delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, then fails", () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((tries) =>
    evaluateDeliveryAttempt({ ...fresh, tries }, unreachable, 1, middle),
  );
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

test("every delay before a retry of a delivery is random within 20 %", () => {
  for (const [tries, delay] of deliveryRetryDelaysMs.entries()) {
    expect(evaluateDeliveryAttempt({ ...fresh, tries }, unreachable, 1, () => 0)).toMatchObject({
      nextInMs: delay * 0.8,
    });
    expect(evaluateDeliveryAttempt({ ...fresh, tries }, unreachable, 1, () => 1)).toMatchObject({
      nextInMs: delay * 1.2,
    });
  }
});

test.each([
  [null, null],
  [5 * day - 1, null],
  [5 * day, "FAILING"],
])("if all attempts have failed for %s ms, another failure pauses a webhook: %s", (failingForMs, pause) => {
  expect(evaluateDeliveryAttempt({ ...fresh, failingForMs }, unreachable, 1, middle)).toMatchObject({
    kind: "failed",
    pause,
  });
  expect(evaluateDeliveryAttempt({ ...fresh, failingForMs }, answered(204), 7, middle)).toEqual({
    kind: "delivered",
    status: 204,
    durationMs: 7,
  });
});

test("the back-off of a webhook lasts at least as long as the failed attempt took", () => {
  expect(evaluateDeliveryAttempt(fresh, answered(200), 14_000, middle)).not.toHaveProperty("backoffMs");
  expect(evaluateDeliveryAttempt(fresh, unreachable, 15_000, middle)).toMatchObject({
    kind: "failed",
    backoffMs: 15_000,
  });
});

test.each([
  [0, 5 * second],
  [1, 10 * second],
  [6, 320 * second],
  [7, 10 * minute],
  [1_000, 10 * minute],
])("after %i earlier consecutive failures, a webhook's back-off is %i ms", (failuresInARow, backoffMs) => {
  expect(evaluateDeliveryAttempt({ ...fresh, failuresInARow }, unreachable, 1, middle)).toMatchObject({ backoffMs });
});

test.each([
  [429, 20 * minute, 20 * minute],
  [503, 20 * minute, 20 * minute],
  [503, 2 * second, 2 * second],
  [503, 0, second],
  [503, 5 * hour, hour],
  [503, null, 5 * second],
  [500, 20 * minute, 5 * second],
])("after the status %i with Retry-After %s ms, the next attempt is in %i ms", (status, retryAfterMs, nextInMs) => {
  expect(evaluateDeliveryAttempt(fresh, answered(status, retryAfterMs), 1, middle)).toMatchObject({
    nextInMs,
    backoffMs: nextInMs,
  });
});

test("the delay in Retry-After replaces the back-off, however many attempts failed", () => {
  for (const failuresInARow of [0, 1, 6, 1_000])
    for (const tries of [0, 3, 7, 50])
      expect(
        evaluateDeliveryAttempt({ ...fresh, tries, failuresInARow }, answered(503, 20 * second), 15_000, middle),
      ).toMatchObject({
        nextInMs: 20 * second,
        isPostponed: true,
        backoffMs: 20 * second,
      });
});

test("up to 100 attempts that a receiver postpones use up none of the retries", () => {
  const [asked, plain] = [answered(429, minute), answered(500)];
  const after = (tries: number, postponed: number, outcome: DeliveryAttemptOutcome) =>
    evaluateDeliveryAttempt({ ...fresh, tries, postponed }, outcome, 1, middle);
  expect(after(40, 40, plain)).toMatchObject({ nextInMs: 5 * second, isPostponed: false });
  expect(after(99, 99, asked)).toMatchObject({ nextInMs: minute, isPostponed: true });
  expect(after(100, 100, asked)).toMatchObject({ nextInMs: minute, isPostponed: false });
  expect(after(101, 100, asked)).toMatchObject({ nextInMs: 5 * minute, isPostponed: false });
  expect(after(107, 100, asked)).toMatchObject({ nextInMs: null, backoffMs: minute });
});

test.each([
  [410, "GONE", null, "GONE"],
  [301, "REDIRECTED", 5 * second, null],
  [199, "BAD_STATUS", 5 * second, null],
  [404, "BAD_STATUS", 5 * second, null],
])("a response with the status %i fails the attempt with the code %s", (status, code, nextInMs, pause) => {
  expect(evaluateDeliveryAttempt(fresh, answered(status), 1, middle)).toMatchObject({
    kind: "failed",
    code,
    nextInMs,
    pause,
  });
});
