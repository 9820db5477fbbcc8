import { expect, test } from "vitest";
import { BrokenRowsError } from "./broken-rows-error.ts";
import { createTextArrayScanner } from "./scan-list.ts";

function elementsOf(literal: string): (string | null)[] {
  const found: (string | null)[] = [];
  const bytes = Buffer.from(literal);
  createTextArrayScanner()(bytes, 0, bytes.length, (from, start, end, isNull) =>
    found.push(isNull ? null : Buffer.from(from.subarray(start, end)).toString()),
  );
  return found;
}

test.each([
  ["{}", []],
  ["{a,b}", ["a", "b"]],
  ['{"a,b",NULL,"NULL",""}', ["a,b", null, "NULL", ""]],
  ['{"{a,b}","[2:3]={x}","\\"\\\\"}', ["{a,b}", "[2:3]={x}", '"\\']],
  ["[2:3]={a,b}", ["a", "b"]],
  ["[-1:-1]={a}", ["a"]],
])("createTextArrayScanner finds the elements of the list %s", (literal, elements) => {
  expect(elementsOf(literal)).toEqual(elements);
});

test.each(["{{a,b},{c,d}}", "[1:2][2:3]={{a,b},{c,d}}", "{{{a}}}"])(
  "the nested list %s fails the report",
  (literal) => {
    expect(() => elementsOf(literal)).toThrow(BrokenRowsError);
  },
);
