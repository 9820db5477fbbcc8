import { expect, test } from "vitest";
import { parseByteRange } from "./byte-range.ts";

test.each([
  ["bytes=0-0", { start: 0, end: 0 }],
  ["Bytes=0-9", { start: 0, end: 9 }],
  ["bytes=3-", { start: 3, end: 9 }],
  ["bytes=3-99", { start: 3, end: 9 }],
  ["bytes=-4", { start: 6, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=9-99999999999999999999999", { start: 9, end: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=10-11", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=-", null],
  ["bytes=", null],
  ["bytes=4-3", null],
  ["bytes=0-1,2-3", null],
  ["bytes=,0-1,", { start: 0, end: 1 }],
  ["bytes= , ,\t0-1\t, ", { start: 0, end: 1 }],
  ["bytes=,0-1,,2-3", null],
  ["bytes=,,", null],
  ["bytes=1.5-3", null],
  ["bytes=+1-3", null],
  ["rows=0-1", null],
  ["", null],
  [undefined, null],
])("for a file of ten bytes, the header %s selects %o", (header, expected) => {
  expect(parseByteRange(header, 10)).toEqual(expected);
});

test.each(["bytes=0-", "bytes=0-0", "bytes=-1"])("for an empty file, the header %s is unsatisfiable", (header) => {
  expect(parseByteRange(header, 0)).toBe("unsatisfiable");
});
