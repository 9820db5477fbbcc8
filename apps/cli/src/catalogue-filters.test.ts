import { expect, test } from "vitest";
import { readCatalogueFilters } from "./catalogue-filters.ts";

test("readFilters returns whether a filter is required, and its default values", () => {
  const properties = { state: { default: ["A", "B"] }, from: { default: "today" }, name: {} };
  const read = readCatalogueFilters({ searchParam: { properties, required: ["name"] } });
  expect(read.map(({ name, isRequired, defaults }) => [name, isRequired, defaults])).toEqual([
    ["state", false, ["A", "B"]],
    ["from", false, ["today"]],
    ["name", true, []],
  ]);
});
