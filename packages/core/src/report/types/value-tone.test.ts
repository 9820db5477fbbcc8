import { expect, test } from "vitest";
import { createValueToneSelector } from "./value-tone.ts";

const toneOf = createValueToneSelector({
  tonesByNumber: [
    { atLeast: 0.9, tone: "bad" },
    { atLeast: 0.7, below: 0.95, tone: "warn" },
    { below: -9_007_199_254_740_991, tone: "muted" },
  ],
});

test.each([
  ["0.9", "bad"],
  ["0.90000000000000000000", "bad"],
  ["0.92", "bad"],
  ["0.89999999999999999999", "warn"],
  ["0.7", "warn"],
  ["0.69999999999999999999", undefined],
  ["0", undefined],
  ["-9007199254740991", undefined],
  ["-9007199254740992", "muted"],
  ["123456789012345678901234567890", "bad"],
  ["NaN", undefined],
  ["", undefined],
] as const)("the number %s has the tone %s", (text, tone) => {
  expect(toneOf(text)).toBe(tone);
});

test("a text value has no tone unless its column defines one for that value", () => {
  const toneOfCode = createValueToneSelector({ tones: { OVERDUE: "bad" } });
  expect([toneOfCode("OVERDUE"), toneOfCode("PAID"), toneOfCode("constructor")]).toEqual(["bad", undefined, undefined]);
});
