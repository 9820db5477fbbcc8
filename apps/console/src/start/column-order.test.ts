import { expect, test } from "vitest";
import { moveColumn, orderColumns, selectShownColumns } from "./column-order.ts";
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

test("orderColumns keeps a fitting order, else puts hidden columns after predecessors", () => {
  const order = orderColumns(["c", "a"], all, []);
  expect(order).toEqual(["c", "d", "a", "b"]);
  expect(orderColumns(["a"], all, order)).toBe(order);
  expect(orderColumns(["a", "c"], all, order)).toEqual(["a", "b", "c", "d"]);
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
