import type { ReadRow, ReportSummary, ReportTypeDefinition } from "@reports/core/report";
import { createFold } from "./fold-aggregate.ts";
import { createAttentionFold } from "./fold-attention.ts";
import { createChartFold } from "./fold-chart.ts";

/** A summary that grows while rows pass. Its memory does not depend on their number. */
export interface SummaryFold {
  add(row: ReadRow): void;
  summary(): ReportSummary;
}

/** For reports without figures, or whose format shows none. */
export const emptySummary: ReportSummary = { figures: [], charts: [], attention: null };

/** Folds figures, charts and attention list to what a database computes of the same rows. */
export function createSummaryFold({
  summary,
  columns,
}: Pick<ReportTypeDefinition, "summary" | "columns">): SummaryFold {
  const figures = summary.figures.map(({ aggregate }) => createFold(aggregate, [], columns));
  const charts = summary.charts.map((chart) => createChartFold(chart, columns));
  const attention = summary.attention && createAttentionFold(summary.attention, columns);
  return {
    add(row) {
      for (const figure of figures) figure.add(row);
      for (const chart of charts) chart.add(row);
      attention?.add(row);
    },
    summary: () => ({
      figures: summary.figures.map(({ key, title, kind, tone = "neutral" }, at) => ({
        key,
        title,
        kind,
        tone,
        value: figures[at]!.text(),
      })),
      charts: charts.map((chart) => chart.chart()),
      attention: attention?.attention() ?? null,
    }),
  };
}
