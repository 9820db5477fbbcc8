import type { Aggregate, ChartPart, SummaryDefinition } from "./summary.ts";

export function summaryColumnsOf({ figures, charts, attention }: SummaryDefinition): ReadonlySet<string> {
  return new Set([
    ...figures.flatMap(({ aggregate }) => aggregateColumns(aggregate)),
    ...charts.flatMap(({ categories, series = [], measure }) => [
      ...("column" in categories ? [categories.column] : partColumns(categories.parts)),
      ...partColumns(series),
      ...aggregateColumns(measure),
    ]),
    ...(attention === undefined
      ? []
      : [attention.where.column, ...attention.columns, ...attention.sort.map(({ key }) => key)]),
  ]);
}

function aggregateColumns(aggregate: Aggregate): string[] {
  return [
    ...("column" in aggregate ? [aggregate.column] : []),
    ...("weight" in aggregate ? [aggregate.weight] : []),
    ...("where" in aggregate && aggregate.where !== undefined ? [aggregate.where.column] : []),
  ];
}

function partColumns(parts: readonly ChartPart[]): string[] {
  return parts.map(({ where }) => where.column);
}
