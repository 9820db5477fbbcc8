import { expect, test } from "vitest";
import { formatExactAmounts, formatExactTotal } from "./chart-amounts.ts";

test.each([
  [{ values: [9007199254740992, 1], exact: ["9007199254740993", "1"] }, ["9007199254740993", "1"], "9007199254740994"],
  [
    { values: [9007199254740991, 9007199254740991, 1] },
    ["9007199254740991", "9007199254740991", "1"],
    "18014398509481983",
  ],
  [{ values: [0.5, 2] }, ["0.5", "2"], "2.5"],
  [{ values: [null, 2] }, [null, "2"], "2"],
  [{ values: [null, null] }, [null, null], null],
  [{ values: [] }, [], null],
  [{ values: [null, 2], exact: ["NaN", "2"] }, ["NaN", "2"], "NaN"],
])("formatExactAmounts and formatExactTotal keep every digit of the amounts %j", (point, amounts, total) => {
  expect(formatExactAmounts(point)).toEqual(amounts);
  expect(formatExactTotal(point)).toBe(total);
});
