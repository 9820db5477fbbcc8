import { expect, test } from "vitest";
import { barValues, omittedValue } from "./chart-value.ts";

test.each([
  [["0", "-3", "9007199254740991"], { values: [0, -3, 9007199254740991] }],
  [["0.1", null], { values: [0.1, 0] }],
  [[null, "9007199254740993"], { values: [0, 9007199254740992], exact: ["0", "9007199254740993"] }],
  [["0.30000000000000001"], { values: [0.3] }],
])("integers of a bar that a double does not hold have their texts as well: %j", (texts, expected) => {
  expect(barValues(texts)).toEqual(expected);
});

test("so have those that no bar shows", () => {
  expect(omittedValue("7")).toEqual({ value: 7 });
  expect(omittedValue(null)).toEqual({ value: 0 });
  expect(omittedValue("-9007199254740993")).toEqual({ value: -9007199254740992, exact: "-9007199254740993" });
});
