import type { ColumnAggregateKind, ColumnKind } from "@reports/core/report";
import { describe, expect, test } from "vitest";
import { createAggregateFold } from "./fold-aggregate.ts";
import { createColumnFold } from "./fold-column.ts";
import { createFoldedValueBudget } from "./folded-value-budget.ts";

function fold(aggregate: ColumnAggregateKind, kind: ColumnKind, values: readonly string[]): string | null {
  const folded = createColumnFold(aggregate, kind, createFoldedValueBudget());
  for (const value of values) folded.add(value);
  return folded.text();
}

const digits = "9".repeat(60);

describe("aggregates of a column", () => {
  const cases: readonly [ColumnAggregateKind, ColumnKind, readonly string[], string | null][] = [
    ["sum", "decimal", [], null],
    ["sum", "decimal", ["0.1", "0.20", `${digits}.5`], `${digits}.80`],
    ["avg", "integer", ["1", "2"], "1.500000"],
    ["avg", "decimal", ["0.0000005", "-0.0000020"], "-0.000001"],
    ["avg", "integer", ["2", "2", "1"], "1.666667"],
    ["avg", "integer", [], null],
    ["sum", "decimal", ["1", "NaN"], "NaN"],
    ["sum", "decimal", ["Infinity", "5", "Infinity"], "Infinity"],
    ["sum", "decimal", ["Infinity", "-Infinity"], "NaN"],
    ["avg", "decimal", ["-Infinity", "1"], "-Infinity"],
    ["max", "decimal", ["Infinity", "NaN", "3"], "NaN"],
    ["min", "decimal", ["1", "-Infinity", "NaN"], "-Infinity"],
    ["max", "bigint", ["9", "10", "-11"], "10"],
    ["min", "date", ["2026-01-31", "0044-03-15 BC", "10000-01-01"], "0044-03-15 BC"],
    ["max", "date", ["2026-01-31", "10000-01-01", "infinity"], "infinity"],
    ["min", "date", ["0043-03-15 BC", "0044-03-15 BC", "0044-03-16 BC"], "0044-03-15 BC"],
    ["max", "timestamp", ["2026-01-01 00:00:00.12+00", "2026-01-01 00:00:00.123+00"], "2026-01-01 00:00:00.123+00"],
    ["max", "timestamp", ["2026-01-01 00:00:00+00", "2026-01-01 00:30:00+01"], "2026-01-01 00:00:00+00"],
    ["max", "timestamp", ["9999-12-31 23:00:00+00", "10000-01-01 00:00:00+00"], "10000-01-01 00:00:00+00"],
    ["distinct", "decimal", ["1", "1.0", "1.00", "2", "10"], "3"],
    ["sum", "duration", ["3600", "-0.000001"], "3599.999999"],
    ["distinct", "duration", ["1", "1.0", "1.50", "1.5"], "2"],
    ["min", "time", ["08:30:00.5", "08:30:00", "24:00:00"], "08:30:00"],
    ["max", "time", ["23:59:59.999999", "24:00:00", "00:00:00"], "24:00:00"],
    ["distinct", "text", ["", "a", "A", "a"], "3"],
    ["distinct", "text", [], "0"],
  ];
  test.each(cases)("the %s of %s values such as %j is %s", (aggregate, kind, values, expected) => {
    expect(fold(aggregate, kind, values)).toBe(expected);
  });

  test("the sum of a column that the rows lack is null", () => {
    const setting = { columns: [], budget: createFoldedValueBudget() };
    const folded = createAggregateFold({ kind: "sum", column: "onlyInView" }, [], setting);
    folded.add({ cell: () => null });
    expect(folded.text()).toBeNull();
  });

  test("too many different values to count fail the report, so that no count is wrong", () => {
    const budget = createFoldedValueBudget({ values: 3, characters: 8 });
    const [names, codes] = [createColumnFold("distinct", "text", budget), createColumnFold("distinct", "text", budget)];
    for (const name of ["a", "b", "a", "b"]) names.add(name);
    codes.add("a");
    expect([names.text(), codes.text()]).toEqual(["2", "1"]);
    expect(() => codes.add("c")).toThrow(/counts more different values .* 3 values of 8 characters together/);
    const few = createColumnFold("distinct", "text", createFoldedValueBudget({ values: 3, characters: 8 }));
    expect(() => few.add("123456789")).toThrow(/counts more different values/);
  });
});
