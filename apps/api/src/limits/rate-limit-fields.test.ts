import { expect, test } from "vitest";
import { readRateLimits } from "../test/read-rate-limits.ts";
import { formatRateLimitFields } from "./rate-limit-fields.ts";

const starts = { name: "starts", limit: 20, remaining: 19, windowSeconds: 60, resetSeconds: 30 };
const unfinished = { name: "unfinished", limit: 5, remaining: 4, windowSeconds: null, resetSeconds: null };

test("RateLimit and RateLimit-Policy list the limits in the same order", () => {
  const fields = formatRateLimitFields([starts, unfinished]);
  expect(fields).toEqual({
    "RateLimit-Policy": '"starts";q=20;w=60, "unfinished";q=5;qu="concurrent-requests"',
    RateLimit: '"starts";r=19;t=30, "unfinished";r=4',
  });
  const lowerCase = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
  expect(readRateLimits(lowerCase)).toEqual([
    { name: "starts", quota: 20, unit: "requests", windowSeconds: 60, remaining: 19, resetSeconds: 30 },
    {
      name: "unfinished",
      quota: 5,
      unit: "concurrent-requests",
      windowSeconds: null,
      remaining: 4,
      resetSeconds: null,
    },
  ]);
});

test("a response without request limits has no RateLimit headers", () => {
  expect(formatRateLimitFields([])).toEqual({});
});

test.each([
  ["names that are not strings", "starts;q=20", "starts;r=1"],
  ["a decimal", '"a";q=20.5', '"a";r=1'],
  ["a negative number", '"a";q=20', '"a";r=-1'],
  ["an empty window", '"a";q=20;w=0', '"a";r=1'],
  ["a unit that is not registered", '"a";q=20;qu="reports"', '"a";r=1'],
  ["a unit that is not a string", '"a";q=20;qu=requests', '"a";r=1'],
  ["a key that is not a byte sequence", '"a";q=20;pk="alice"', '"a";r=1'],
  ["a missing quota", '"a";w=60', '"a";r=1'],
  ["a state without a policy", '"a";q=20', '"a";r=1, "b";r=1'],
  ["an older draft", "20;w=60", "limit=20, remaining=1, reset=30"],
])("the tests' parser of RateLimit headers refuses %s", (_, policy, state) => {
  expect(() => readRateLimits({ "ratelimit-policy": policy, ratelimit: state })).toThrow();
});
