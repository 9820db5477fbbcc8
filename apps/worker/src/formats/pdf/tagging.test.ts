import { expect, test } from "vitest";
import { decidePdfTagging } from "./tagging.ts";

test.each([
  [null, 20_000, 10, true, false],
  [null, 20_001, 10, false, true],
  [null, null, 10, false, true],
  [true, 100_000, 22, true, false],
  [true, null, 22, true, false],
  [false, 1, 1, false, false],
  [false, 100_000, 1, false, false],
  // 22 million cells need more objects than PDF/A allows.
  [true, 1_000_000, 22, false, true],
])(
  "with accessible=%s, a pdf of %s rows and %i columns: tagged %s, warned %s",
  (accessible, total, columns, isTagged, isWarned) => {
    const decision = decidePdfTagging(accessible, { total, columns });
    expect(decision.isTagged).toBe(isTagged);
    expect(decision.warning?.code).toBe(isWarned ? "NOT_TAGGED" : undefined);
  },
);
