import { expect, test } from "vitest";
import { moveColumn, orderColumns, selectShownColumns } from "./column-order.ts";

const all = ["a", "b", "c", "d"];
const type = {
  columns: all.map((key) => ({
    key,
    title: key,
    kind: "text",
    titles: {},
    meanings: {},
    expires: false,
    sortable: true,
    groupable: true,
  })),
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
  ["a", 1, ["b", "c", "a", "d"]],
  ["d", -1, ["a", "b", "d", "c"]],
] as const)("the column %s moved by %i passes the next shown column", (key, step, expected) => {
  expect(moveColumn(all, ["a", "c", "d"], key, step)).toEqual(expected);
});
