import { expect, test } from "vitest";
import type { FilterOperator, FilterValue, FilterValueKind } from "../../query/filters.ts";
import type { ColumnKind } from "./column.ts";
import { createFilterPredicate } from "./filter-predicate.ts";
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
  ["contains", "text", "text", ["b%_C"], ["aB%_cd", "aBx_cd", null], [true, false, false]],
  ["contains", "text", "text", ["ΣΣ"], ["σσ", "σς", "I"], [true, false, false]],
  ["suffix", "hostname", "text", ["b.org"], ["b.org", "a.b.org", "ab.org", null], [true, true, false, false]],
  ["serves", "hostname", "text", ["a.b.org"], ["a.b.org", "*.b.org", "b.org", "*.org"], [true, true, false, false]],
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

test.each(cases)(
  "the filter %s for a %s, on a %s column, with the values %j tests cells %j",
  (operator, value, kind, values, cells, expected) => {
    const columns = [{ key: "one", kind }];
    const meets = createFilterPredicate({ operator, value, columns: ["one"] }, values, columns, "Europe/Berlin")!;
    expect(cells.map((cell) => meets({ cell: () => cell }))).toEqual(expected);
  },
);

test("createFilterPredicate returns null if column kind and value can't be compared", () => {
  const testOf = (operator: FilterOperator, value: FilterValueKind, kind: ColumnKind) =>
    createFilterPredicate({ operator, value, columns: ["one"] }, ["1"], [{ key: "one", kind }], "UTC");
  expect(testOf("contains", "text", "list")).toBeNull();
  expect(testOf("serves", "hostname", "date")).toBeNull();
  expect(testOf("from", "date", "timestamp")).toBeNull();
  expect(testOf("from", "decimal", "text")).toBeNull();
});
