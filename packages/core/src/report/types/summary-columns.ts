import { findAggregateColumns, type ChartPart, type SummaryDefinition } from "./summary.ts";

export function findSummaryColumns({ figures, charts, attention }: SummaryDefinition): ReadonlySet<string> {
  return new Set([
    ...figures.flatMap(({ aggregate }) => findAggregateColumns(aggregate)),
    ...charts.flatMap(({ categories, series = [], measure }) => [
      ...("column" in categories ? [categories.column] : partColumns(categories.parts)),
      ...partColumns(series),
      ...findAggregateColumns(measure),
    ]),
    ...(attention === undefined
      ? []
      : [attention.where.column, ...attention.columns, ...attention.sort.map(({ key }) => key)]),
  ]);
}

function partColumns(parts: readonly ChartPart[]): string[] {
  return parts.map(({ where }) => where.column);
}
