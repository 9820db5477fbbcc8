import { expect, test } from "vitest";
import { exceedsRepairLimits } from "./automatic-repair-limits.ts";

const limits = { massCount: 20, massShare: 0.05, maxShare: 0.5 };

test.each([
  [15, 15, true],
  [1, 1, true],
  [8, 15, true],
  [7, 15, false],
  [1, 2, false],
  [20, 21, true],
  [20, 39, true],
  [20, 40, false],
  [20, 400, false],
  [21, 400, true],
  [21, 420, false],
  [6_000, 120_000, false],
  [6_001, 120_000, true],
  [119_000, 120_000, true],
])("the reconciler refuses to repair %i differing files of %i: %s", (differing, compared, isMass) => {
  expect(exceedsRepairLimits(differing, compared, limits)).toBe(isMass);
});
