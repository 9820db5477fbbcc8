import { expect, test } from "vitest";
import { moveColumn, orderColumns, selectShownColumns } from "./column-order.ts";
import { plainColumn } from "./plain-column.fixture.ts";

const all = ["a", "b", "c", "d"];
const type = {
  columns: all.map((key) => ({ ...plainColumn, key, title: key })),
  pdfColumns: ["c", "a"],
};

test.each([
  ["pdf", [], ["c", "a"], true],
  ["csv", [], all, true],
  ["pdf", ["c", "a"], ["c", "a"], true],
  ["pdf", ["a", "c"], ["a", "c"], false],
  ["csv", ["c", "a"], ["c", "a"], false],
])("a %s for which the columns %j are requested shows %j", (format, asked, keys, isDefault) => {
  expect(selectShownColumns(type, format, asked)).toEqual({ keys, isDefault });
});

test("hidden columns follow their predecessors, and removed ones keep their place", () => {
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
] as const)("the column %s moves %s among the shown columns", (key, move, expected) => {
  expect(moveColumn(all, ["a", "c", "d"], key, move)).toEqual(expected);
});
