import {
  findAggregateColumns,
  formatProperties,
  type FigureDefinition,
  type ReportColumn,
  type ReportOptions,
  type ReportTypeDefinition,
  type ReportWarning,
} from "@reports/core/report";

export function selectSubtotalFigures(
  { summary }: Pick<ReportTypeDefinition, "summary">,
  { groupBy, format }: Pick<ReportOptions, "groupBy" | "format">,
): readonly FigureDefinition[] {
  const { figures, subtotals = [] } = summary;
  if (groupBy === null || !formatProperties[format].showsSubtotals) return [];
  return subtotals.flatMap((key) => figures.filter((figure) => figure.key === key));
}

/** Returns the figures of subtotals whose columns the rows have. The row snapshot of an earlier version of the report type can lack columns. */
export function selectAvailableSubtotals(
  definition: Pick<ReportTypeDefinition, "summary">,
  options: Pick<ReportOptions, "groupBy" | "format">,
  columns: readonly ReportColumn[],
): readonly FigureDefinition[] {
  const has = (key: string): boolean => columns.some((column) => column.key === key);
  return selectSubtotalFigures(definition, options).filter(({ aggregate }) =>
    findAggregateColumns(aggregate).every(has),
  );
}

export function createSubtotalsOmittedWarning(format: string, maxGroups: number): ReportWarning {
  const message = `The subtotals were left out: ${format} lists at most ${maxGroups} groups, and there are more. pdf shows the subtotals of each.`;
  return { code: "SUBTOTALS_OMITTED", message };
}
