import { createTimestampConverter } from "@reports/core/base";
import { type Chart, type ReportSummary, type ReportTypeDefinition } from "@reports/core/report";

export function toSummaryInTimezone(
  { figures, charts, attention }: ReportSummary,
  { columns, summary }: Pick<ReportTypeDefinition, "columns" | "summary">,
  timezone: string,
): ReportSummary {
  const localOf = createTimestampConverter(timezone);
  const isTime = ({ key }: Chart): boolean => {
    const categories = summary.charts.find((chart) => chart.key === key)?.categories ?? {};
    const column = "column" in categories ? categories.column : null;
    return columns.some(({ key: each, kind }) => each === column && kind === "timestamp");
  };
  const times = attention?.columns.map(({ kind }) => kind === "timestamp") ?? [];
  return {
    figures: figures.map((figure) =>
      figure.kind === "timestamp" && figure.value !== null ? { ...figure, value: localOf(figure.value) } : figure,
    ),
    charts: charts.map((chart) =>
      isTime(chart)
        ? { ...chart, points: chart.points.map((point) => ({ ...point, label: localOf(point.label) })) }
        : chart,
    ),
    attention: attention && {
      ...attention,
      rows: attention.rows.map((row) =>
        row.map((cell, at) => (cell !== null && times[at] === true ? localOf(cell) : cell)),
      ),
    },
  };
}
