import { RateLimitedError } from "@reports/core/caller";
import { expect, test } from "vitest";
import { createRequestLimiter } from "./request-limiter.ts";

function limiterAt(options: { perMinute: number; maxPrincipals?: number }) {
  let time = 1_000;
  const limiter = createRequestLimiter({ ...options, now: () => time });
  return { consume: (id: string) => limiter.consume(id)!, pass: (ms: number) => void (time += ms) };
}

test("the request limiter allows perMinute requests until the minute has ended", () => {
  const { consume, pass } = limiterAt({ perMinute: 3 });
  expect([consume("a"), consume("a"), consume("a")].map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
  pass(20_500);
  expect(() => consume("a")).toThrow(RateLimitedError);
  expect(() => consume("a")).toThrow(expect.objectContaining({ retryAfterSeconds: 40, code: "too-many-requests" }));
  expect(consume("b").remaining).toBe(2);
  pass(39_500);
  expect(consume("a")).toEqual({ name: "requests", limit: 3, windowSeconds: 60, resetSeconds: 60, remaining: 2 });
});

test("the request limiter counts refused requests, and twice the limit is a flood", () => {
  let time = 1_000;
  const limiter = createRequestLimiter({ perMinute: 2, now: () => time });
  const seen = Array.from({ length: 6 }, () => limiter.count("a")!);
  expect(seen.map(({ quota }) => quota.remaining)).toEqual([1, 0, 0, 0, 0, 0]);
  expect(seen.map(({ refusal }) => refusal !== null)).toEqual([false, false, true, true, true, true]);
  expect(seen.map(({ isFlood }) => isFlood)).toEqual([false, false, false, false, true, true]);
  time += 60_000;
  expect(limiter.count("a")).toMatchObject({ refusal: null, isFlood: false, quota: { remaining: 1 } });
});

test("a minute of the request limiter that begins between two milliseconds lasts 60 s", () => {
  const { consume, pass } = limiterAt({ perMinute: 1 });
  pass(4_042 * 1.37);
  expect(consume("a").resetSeconds).toBe(60);
});

test("the request limiter remembers at most maxPrincipals principals", () => {
  const { consume } = limiterAt({ perMinute: 1, maxPrincipals: 2 });
  consume("a");
  consume("b");
  consume("c");
  expect(() => consume("c")).toThrow(RateLimitedError);
  expect(consume("a").remaining).toBe(0);
});

test("the request limiter never forgets a principal that keeps sending requests", () => {
  const { consume } = limiterAt({ perMinute: 1, maxPrincipals: 2 });
  consume("flooder");
  for (let other = 0; other < 10; other++) {
    consume(`other-${other}`);
    expect(() => consume("flooder")).toThrow(RateLimitedError);
  }
});

test("a request limit of 0 allows any number of requests", () => {
  const { consume } = createRequestLimiter({ perMinute: 0 });
  expect(Array.from({ length: 1_000 }, () => consume("a"))).toEqual(Array.from({ length: 1_000 }, () => null));
});
