import { expect, test } from "vitest";
import { createTestCaseDivider } from "./divide-cases.ts";

test("outside CI, successive calls of a case divider together return each case once", () => {
  const shareOf = createTestCaseDivider(false);
  const shares = [1, 2, 3].map(() => shareOf(["a", "b", "c", "d"], 3));
  expect(shares).toEqual([["a", "d"], ["b"], ["c"]]);
  expect(shareOf(["a", "b", "c", "d"], 3)).toEqual(["a", "d"]);
});

test("in CI, every call of a case divider returns every case", () => {
  const shareOf = createTestCaseDivider(true);
  for (let place = 0; place < 3; place++) expect(shareOf(["a", "b"], 2)).toEqual(["a", "b"]);
});
