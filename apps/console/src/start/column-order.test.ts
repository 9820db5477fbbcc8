import { expect, test } from "vitest";
import { moveColumn, orderShownAndHiddenColumns, selectShownColumns } from "./column-order.ts";
import { textColumnFixture } from "./text-column-fixture.fixture.ts";

const all = ["a", "b", "c", "d"];
const type = {
  columns: all.map((key) => ({ ...textColumnFixture, key, title: key })),
  pdfColumns: ["c", "a"],
};

test.each([
  ["pdf", [], ["c", "a"], true],
  ["csv", [], all, true],
  ["pdf", ["c", "a"], ["c", "a"], true],
  ["pdf", ["a", "c"], ["a", "c"], false],
  ["csv", ["c", "a"], ["c", "a"], false],
])("a %s report with the requested columns %j shows the columns %j", (format, asked, keys, isDefault) => {
  expect(selectShownColumns(type, format, asked)).toEqual({ keys, isDefault });
});

test("orderShownAndHiddenColumns keeps a fitting order, else puts hidden columns after predecessors", () => {
  const order = orderShownAndHiddenColumns(["c", "a"], all, []);
  expect(order).toEqual(["c", "d", "a", "b"]);
  expect(orderShownAndHiddenColumns(["a"], all, order)).toBe(order);
  expect(orderShownAndHiddenColumns(["a", "c"], all, order)).toEqual(["a", "b", "c", "d"]);
});

test.each([
  ["a", "down", ["b", "c", "a", "d"]],
  ["d", "up", ["a", "b", "d", "c"]],
  ["d", "first", ["d", "a", "b", "c"]],
  ["a", "last", ["b", "c", "d", "a"]],
  ["a", "up", all],
  ["d", "last", all],
] as const)("moveColumn moves the column %s %s past hidden columns", (key, move, expected) => {
  expect(moveColumn(all, ["a", "c", "d"], key, move)).toEqual(expected);
});
