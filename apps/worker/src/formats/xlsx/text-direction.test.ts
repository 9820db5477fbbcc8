import { expect, it } from "vitest";
import { isReadFromRight } from "./text-direction.ts";

it.each([
  ["שלום", true],
  ["2026: تقرير المجالات (EU)", true],
  ["«گزارش»", true],
  ["\u200F2026", true],
  ["Domains of שלום", false],
  ["\u200Eتقرير", false],
  ["2026 – 1", false],
  ["١٢ domains", false],
  ["日本語", false],
  ["", false],
])("its first letter gives %j its direction", (text, isFromRight) => {
  expect(isReadFromRight(text)).toBe(isFromRight);
});
