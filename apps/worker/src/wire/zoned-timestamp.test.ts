import { expect, test } from "vitest";
import { lateTimestampInUtc } from "./late-timestamp.ts";
import { createTimestampFormatter } from "./zoned-timestamp.ts";

test("instants before the year 1 are refused, in whichever zone they lie before it", () => {
  const utc = createTimestampFormatter("UTC");
  const tokyo = createTimestampFormatter("Asia/Tokyo");
  const lastOfYearZero = new Date("0000-12-31T23:59:59Z");
  expect(utc(new Date("0001-01-01T00:00:00Z"))).toBe("0001-01-01 00:00:00+00");
  expect(tokyo(lastOfYearZero)).toBe("0001-01-01 09:18:58+09:18:59");
  for (const instant of ["-000001-01-01T00:00:00Z", "-000001-12-31T00:00:00Z", "-002000-06-01T12:00:00Z"]) {
    expect(() => utc(new Date(instant))).toThrow(RangeError);
    expect(() => tokyo(new Date(instant))).toThrow(RangeError);
  }
  expect(() => utc(lastOfYearZero)).toThrow(RangeError);
  expect(() => utc(new Date(Number.NaN))).toThrow(RangeError);
});

test("the last year ends where it ends in UTC, as for rows of a database", () => {
  const tokyo = createTimestampFormatter("Asia/Tokyo");
  const last = tokyo(new Date("9999-12-31T23:59:59.5Z"));
  expect(last).toBe("10000-01-01 08:59:59.5+09");
  expect(lateTimestampInUtc(last)).toBe("9999-12-31 23:59:59.5+00");
  expect(createTimestampFormatter("America/New_York")(new Date("+010000-01-01T03:00:00Z"))).toBe(
    "9999-12-31 22:00:00-05",
  );
  expect(() => tokyo(new Date("+010000-01-01T00:00:00Z"))).toThrow(RangeError);
  expect(() => createTimestampFormatter("UTC")(new Date("+010000-01-01T00:00:00Z"))).toThrow(RangeError);
});
