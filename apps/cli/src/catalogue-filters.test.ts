import { expect, test } from "vitest";
import { readFilters } from "./catalogue-filters.ts";

test("filters of the catalogue say whether they are required, and name their defaults", () => {
  const properties = { state: { default: ["A", "B"] }, from: { default: "today" }, name: {} };
  const read = readFilters({ searchParam: { properties, required: ["name"] } });
  expect(read.map(({ name, isRequired, defaults }) => [name, isRequired, defaults])).toEqual([
    ["state", false, ["A", "B"]],
    ["from", false, ["today"]],
    ["name", true, []],
  ]);
});
