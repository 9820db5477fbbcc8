import { expect, test } from "vitest";
import { parseBarValues, parseOmittedValue } from "./chart-value.ts";

test.each([
  [["0", "-3", "9007199254740991"], { values: [0, -3, 9007199254740991] }],
  [["0.1", null], { values: [0.1, null] }],
  [[null], { values: [null] }],
  [[null, "9007199254740993"], { values: [null, 9007199254740992], exact: [null, "9007199254740993"] }],
  [["0.30000000000000001"], { values: [0.3] }],
  [
    ["NaN", "Infinity", "-Infinity", "1"],
    { values: [null, null, null, 1], exact: ["NaN", "Infinity", "-Infinity", "1"] },
  ],
  [[`1${"0".repeat(400)}`], { values: [null], exact: [`1${"0".repeat(400)}`] }],
])("parseBarValues adds exact texts if a number is infinite or beyond 2^53: %j", (texts, expected) => {
  expect(parseBarValues(texts)).toEqual(expected);
});

test("parseOmittedValue also returns the exact text of an integer beyond 2^53 or NaN", () => {
  expect(parseOmittedValue("7")).toEqual({ value: 7 });
  expect(parseOmittedValue(null)).toEqual({ value: null });
  expect(parseOmittedValue("NaN")).toEqual({ value: null, exact: "NaN" });
  expect(parseOmittedValue("-9007199254740993")).toEqual({ value: -9007199254740992, exact: "-9007199254740993" });
});
