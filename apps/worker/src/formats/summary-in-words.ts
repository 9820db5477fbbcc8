import type { Chart, ChartDefinition, ColumnKind, ReportSummary, ReportTypeDefinition } from "@reports/core/report";
import { createTitleLookup } from "./value-titles.ts";
import type { Words } from "./words/words.ts";

export interface ChartInWords extends Chart {
  readonly kind: ColumnKind;
}

export interface SummaryInWords extends Omit<ReportSummary, "charts"> {
  readonly charts: readonly ChartInWords[];
}

/** Replaces codes in a summary by their titles. Formats for programs show the codes instead. */
export function summaryInWords(
  summary: ReportSummary,
  definition: Pick<ReportTypeDefinition, "columns" | "summary">,
  words: Words,
): SummaryInWords {
  return { ...summary, charts: summary.charts.map((chart) => chartInWords(chart, definition, words)) };
}

function chartInWords(
  chart: Chart,
  { columns, summary }: Pick<ReportTypeDefinition, "columns" | "summary">,
  words: Words,
): ChartInWords {
  const own = summary.charts.find(({ key }) => key === chart.key);
  const columnOf = (key: string) => columns.find((column) => column.key === key);
  const categories = own !== undefined && "column" in own.categories ? columnOf(own.categories.column) : undefined;
  const titleOf = createTitleLookup(categories?.titles);
  const points = chart.points.map((point) => ({ ...point, label: titleOf(point.label) }));
  // A chart that is not split has one series.
  const isSplit = own === undefined || (own.series ?? []).length > 0;
  const measured = measureTitle(own?.measure, words, (key) => columnOf(key)?.title);
  const series = isSplit ? chart.series : chart.series.map((one) => ({ ...one, label: measured }));
  return { ...chart, points, series, kind: measureKind(own?.measure, (key) => columnOf(key)?.kind) };
}

function measureTitle(
  measure: ChartDefinition["measure"] | undefined,
  words: Words,
  titleOfColumn: (key: string) => string | undefined,
): string {
  if (measure === undefined || measure.kind === "count") return words.text("rows");
  return titleOfColumn(measure.column) ?? measure.column;
}

function measureKind(
  measure: ChartDefinition["measure"] | undefined,
  kindOfColumn: (key: string) => ColumnKind | undefined,
): ColumnKind {
  if (measure === undefined || measure.kind === "count") return "integer";
  return kindOfColumn(measure.column) ?? "decimal";
}
