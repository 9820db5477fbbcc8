import { expect, test } from "vitest";
import type { FilterOperator, FilterValue, FilterValueKind } from "../../query/filters.ts";
import type { ColumnKind } from "./column.ts";
import { createFilterTest } from "./filter-test.ts";
import type { ObjectCell } from "./object-cell.ts";

const cases: readonly (readonly [
  FilterOperator,
  FilterValueKind,
  ColumnKind,
  FilterValue[],
  ObjectCell[],
  boolean[],
])[] = [
  ["from", "date", "date", ["2026-01-31"], ["2026-01-30", "2026-01-31", null], [false, true, false]],
  ["to", "date", "date", ["2026-01-31"], ["2026-01-30", "2026-01-31", null], [true, false, false]],
  ["in", "date", "date", ["2026-01-31"], ["2026-01-31", "2026-02-01"], [true, false]],
  ["from", "decimal", "decimal", ["10.5"], ["10.50", "10.49999999999999999999", "9"], [true, false, false]],
  ["to", "integer", "bigint", [3], ["-9007199254740993", "3", null], [true, false, false]],
  ["in", "decimal", "ratio", ["0.5"], ["0.50", "0.51", null], [true, false, false]],
  ["notIn", "text", "text", ["A"], ["A", "B", "", null], [false, true, true, true]],
  ["notIn", "enum", "list", ["A"], [["A", "B"], ["B"], [], null], [false, true, true, true]],
  ["notIn", "boolean", "boolean", [true], ["t", "f", null], [false, true, true]],
  ["empty", "boolean", "text", [true], [null, "", "x"], [true, false, false]],
  ["empty", "boolean", "list", [true], [null, [], ["x"]], [true, true, false]],
  ["empty", "boolean", "list", [false], [null, [], ["x"]], [false, false, true]],
  ["has", "text", "list", ["a", "b"], [["b"], ["c"], null], [true, false, false]],
  [
    "from",
    "timestamp",
    "timestamp",
    ["2026-01-31T00:00:00.5Z"],
    ["2026-01-31 00:00:00.5+00", "2026-01-31 00:00:00+00", "0999-12-31 00:00:00+00"],
    [true, false, false],
  ],
  ["to", "timestamp", "date", ["2026-01-30T23:00:00Z"], ["2026-01-30", "2026-01-31"], [true, false]],
];

test.each(cases)("%s with %s on %s of %j tests %j", (operator, value, kind, values, cells, expected) => {
  const meets = createFilterTest({ operator, value }, values, kind, "Europe/Berlin")!;
  expect(cells.map(meets)).toEqual(expected);
});

test("operators that search in texts, and kinds that do not fit, are not tested", () => {
  const testOf = (operator: FilterOperator, value: FilterValueKind, kind: ColumnKind) =>
    createFilterTest({ operator, value }, ["1"], kind, "UTC");
  expect(testOf("contains", "text", "text")).toBeNull();
  expect(testOf("serves", "hostname", "text")).toBeNull();
  expect(testOf("from", "date", "timestamp")).toBeNull();
  expect(testOf("from", "decimal", "text")).toBeNull();
});
