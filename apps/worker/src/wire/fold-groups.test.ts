import type { FigureDefinition, ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { createGroupFold } from "./fold-groups.ts";

const columns: readonly ReportColumn[] = [
  { key: "at", title: "At", kind: "timestamp", width: 10 },
  { key: "cost", title: "Cost", kind: "decimal", width: 10 },
  { key: "name", title: "Name", kind: "text", width: 10 },
];
const figures: readonly FigureDefinition[] = [
  { key: "cost", title: "Cost", kind: "decimal", aggregate: { kind: "sum", column: "cost" } },
  { key: "last", title: "Last", kind: "timestamp", aggregate: { kind: "max", column: "at" } },
];
const setting = { columns, groupBy: "at", timezone: "Asia/Kathmandu" };

test("consecutive rows of equal value form a group with exact sums and local times", () => {
  const fold = createGroupFold(figures, setting);
  const time = "2026-01-31 20:00:00+00";
  fold.add([time, "0.1"]);
  fold.add([time, "0.2"]);
  fold.add([null, "NaN"]);
  fold.add([time, null]);
  const local = "2026-02-01 01:45:00+05:45";
  expect(fold.groups()).toEqual([
    { value: local, rows: 2, values: ["0.3", local] },
    { value: null, rows: 1, values: ["NaN", null] },
    { value: local, rows: 1, values: [null, local] },
  ]);
});

test("equal numbers are one group, even with different trailing zeros", () => {
  const fold = createGroupFold(figures, { ...setting, groupBy: "cost" });
  for (const cost of ["1.0", "1.00", "1", "2", null, "0", "0.0"]) fold.add([null, cost]);
  expect(fold.groups()!.map(({ value, rows }) => [value, rows])).toEqual([
    ["1.0", 3],
    ["2", 1],
    [null, 1],
    ["0", 2],
  ]);
});

test("rows without groups have no subtotals", () => {
  expect(createGroupFold(figures, setting).groups()).toEqual([]);
});

test("too many groups leave out all subtotals instead of some", () => {
  const listed = (count: number) => {
    const fold = createGroupFold(figures, setting, 2);
    for (let at = 0; at < count; at++) fold.add([`2026-01-01 00:00:0${at}+00`, "1"]);
    return fold.groups();
  };
  expect(listed(2)).toHaveLength(2);
  expect(listed(3)).toBeNull();
  expect(listed(4)).toBeNull();
});

test("if the values of all groups are too long together, no group has a subtotal", () => {
  const fold = createGroupFold(figures, { ...setting, groupBy: "name" });
  for (const letter of ["a", "b"]) fold.add([null, null, letter.repeat(11_000_000)]);
  expect(fold.groups()).toBeNull();
});
