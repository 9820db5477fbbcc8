import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import {
  createGroupWarnings,
  selectHiddenSubtotalKeys,
  selectShownColumnKeys,
  toGroupedSortKeys,
} from "./group-rows.ts";

test("rows are sorted by their group before the requested sort", () => {
  expect(toGroupedSortKeys({ sort: ["-name", "port"], groupBy: "region" })).toEqual([
    { key: "region", descending: false },
    { key: "name", descending: true },
    { key: "port", descending: false },
  ]);
});

test("a requested sort direction of the grouping column is kept", () => {
  expect(toGroupedSortKeys({ sort: ["name", "-region"], groupBy: "region" })).toEqual([
    { key: "region", descending: true },
    { key: "name", descending: false },
  ]);
});

test("without groups, rows have only the requested sort", () => {
  expect(toGroupedSortKeys({ sort: ["-name"], groupBy: null })).toEqual([{ key: "name", descending: true }]);
});

test("a pdf reads the grouping column even if it is not requested", () => {
  expect(selectShownColumnKeys({ columns: ["name"], groupBy: "region", format: "pdf" })).toEqual(["name", "region"]);
  expect(selectShownColumnKeys({ columns: ["region", "name"], groupBy: "region", format: "pdf" })).toEqual([
    "region",
    "name",
  ]);
  expect(selectShownColumnKeys({ columns: ["name"], groupBy: "region", format: "csv" })).toEqual(["name"]);
});

const cost = {
  key: "cost",
  title: "Cost",
  kind: "decimal",
  aggregate: { kind: "sum", column: "amount", where: { column: "state", in: ["PAID"] } },
} as const;
const withSubtotals = { summary: { figures: [cost], charts: [], subtotals: ["cost"] } };

test.each([
  ["pdf", "region", ["amount", "state"]],
  ["xlsx", "region", ["region", "amount", "state"]],
  ["json", "name", ["amount", "state"]],
  ["csv", "region", []],
  ["ndjson", "region", []],
  ["json", null, []],
] as const)("for subtotals in %s of groups by %s, the columns %j are also read", (format, groupBy, expected) => {
  expect(selectHiddenSubtotalKeys({ columns: ["name"], groupBy, format }, withSubtotals)).toEqual(expected);
  const none = { summary: { ...withSubtotals.summary, subtotals: [] } };
  expect(selectHiddenSubtotalKeys({ columns: ["name"], groupBy, format }, none)).toEqual([]);
});

test("a file in a format without groups warns that its rows are only sorted", () => {
  const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
  expect(createGroupWarnings({ groupBy: "proxyRegion", format: "xlsx" }, definition)).toEqual([
    {
      code: "ROWS_NOT_GROUPED",
      message: "xlsx shows no groups: the rows are sorted by Region first. pdf shows each under a heading.",
    },
  ]);
});
