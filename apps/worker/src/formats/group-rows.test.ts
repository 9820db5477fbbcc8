import { expect, test } from "vitest";
import { columnKeysOf, sortOf } from "./group-rows.ts";

test("rows of a group stand together, whatever they are sorted by", () => {
  expect(sortOf({ sort: ["-name", "port"], groupBy: "region" })).toEqual([
    { key: "region", descending: false },
    { key: "name", descending: true },
    { key: "port", descending: false },
  ]);
});

test("a direction that was chosen for the grouping column is kept", () => {
  expect(sortOf({ sort: ["name", "-region"], groupBy: "region" })).toEqual([
    { key: "region", descending: true },
    { key: "name", descending: false },
  ]);
});

test("without groups the chosen order is the whole order", () => {
  expect(sortOf({ sort: ["-name"], groupBy: null })).toEqual([{ key: "name", descending: true }]);
});

test("a pdf reads the column of its group headings even where it was left out of the table", () => {
  expect(columnKeysOf({ columns: ["name"], groupBy: "region", format: "pdf" })).toEqual(["name", "region"]);
  expect(columnKeysOf({ columns: ["region", "name"], groupBy: "region", format: "pdf" })).toEqual(["region", "name"]);
  expect(columnKeysOf({ columns: ["name"], groupBy: "region", format: "csv" })).toEqual(["name"]);
});
