import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { createChartFold } from "./fold-chart.ts";
import { createFoldedValueBudget } from "./folded-value-budget.ts";

const columns: readonly ReportColumn[] = [
  { key: "region", title: "Region", kind: "text", width: 10 },
  { key: "host", title: "Host", kind: "text", width: 10 },
];

test("a chart of different values counts each value once against the limit", () => {
  const fold = createChartFold(
    {
      key: "hosts",
      title: "Hosts",
      categories: { column: "region", top: 1 },
      measure: { kind: "distinct", column: "host" },
    },
    { columns, budget: createFoldedValueBudget({ values: 4, characters: 100 }) },
  );
  for (const [region, host] of [
    ["a", "1"],
    ["a", "2"],
    ["a", "3"],
    ["b", "1"],
  ] as const) {
    const row = { region, host };
    fold.add({ row, cell: (key) => row[key as keyof typeof row] });
  }
  expect(fold.chart()).toMatchObject({
    points: [{ label: "a", values: [3] }],
    omitted: [{ label: "1 other", value: null }],
  });
});
