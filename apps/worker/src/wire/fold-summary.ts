import {
  type RowWithCells,
  type ReportSummary,
  type ReportTypeDefinition,
  cellToText,
  createConditionPredicate,
  createFigure,
  createRowComparator,
  type AttentionList,
  type AttentionDefinition,
  type ReportColumn,
} from "@reports/core/report";
import { createAggregateFold } from "./fold-aggregate.ts";
import { createChartFold } from "./fold-chart.ts";
import { createFoldedValueBudget } from "./folded-value-budget.ts";

export interface SummaryFold {
  add(row: RowWithCells): void;
  summary(): ReportSummary;
}

export const emptySummary: ReportSummary = { figures: [], charts: [], attention: null };

export function createSummaryFold({
  summary,
  columns,
}: Pick<ReportTypeDefinition, "summary" | "columns">): SummaryFold {
  const setting = { columns, budget: createFoldedValueBudget() };
  const figures = summary.figures.map(({ aggregate }) => createAggregateFold(aggregate, [], setting));
  const charts = summary.charts.map((chart) => createChartFold(chart, setting));
  const attention = summary.attention && createAttentionFold(summary.attention, columns);
  return {
    add(row) {
      for (const figure of figures) figure.add(row);
      for (const chart of charts) chart.add(row);
      attention?.add(row);
    },
    summary: () => ({
      figures: summary.figures.map((figure, at) => createFigure(figure, figures[at]!.text())),
      charts: charts.map((chart) => chart.chart()),
      attention: attention?.attention() ?? null,
    }),
  };
}

interface AttentionFold {
  add(row: RowWithCells): void;
  attention(): AttentionList;
}

function createAttentionFold(
  { title, where, columns: keys, sort, limit }: AttentionDefinition,
  columns: readonly ReportColumn[],
): AttentionFold {
  const meets = createConditionPredicate([where], columns);
  const compare = createRowComparator(sort, columns);
  const first: RowWithCells[] = [];
  let total = 0;
  return {
    add(row) {
      if (!meets(row)) return;
      total++;
      let at = first.length;
      while (at > 0 && compare(first[at - 1]!, row) > 0) at--;
      if (at === limit) return;
      first.splice(at, 0, row);
      if (first.length > limit) first.pop();
    },
    attention: () => ({
      title,
      columns: keys.map((key) => columns.find((column) => column.key === key)!),
      rows: first.map((row) => keys.map((key) => cellToText(row.cell(key)))),
      total,
    }),
  };
}
