import { describeAllowedNames } from "../../query/nearest-name.ts";
import { findChartMeasureProblems, findAggregateKindProblems } from "./aggregate-problems.ts";
import type { ColumnKind } from "./column.ts";
import { findConditionProblems } from "./condition-problems.ts";
import {
  findUnknownColumnProblems,
  findCountProblems,
  findIntegerProblems,
  findNameProblems,
  findRepeatedNameProblems,
  findTextProblems,
  findUnknownNameProblems,
  keysIn,
  quoteValue,
  type DefinitionColumnKinds,
} from "./definition-rules.ts";
import {
  findAggregateColumns,
  type AttentionDefinition,
  type ChartDefinition,
  type ChartPart,
  type FigureDefinition,
  type SummaryDefinition,
} from "./summary.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

type KindsByColumn = ReadonlyMap<string, ColumnKind>;

const maxTitleLength = 120;
const maxSubtotals = 10;

export function findSummaryProblems(
  { summary, groupable }: Pick<ReportTypeDefinition, "summary" | "groupable">,
  columns: DefinitionColumnKinds,
): string[] {
  const { figures, charts, attention } = summary;
  return [
    ...findCountProblems("figures", figures, 0, 40),
    ...findRepeatedNameProblems("figure", keysIn(figures)),
    ...figures.flatMap((figure) => problemsOfFigure(figure, columns.logical)),
    ...findCountProblems("charts", charts, 0, 20),
    ...findRepeatedNameProblems("chart", keysIn(charts)),
    ...charts.flatMap((chart) => problemsOfChart(chart, columns.logical)),
    ...(attention === undefined ? [] : problemsOfAttention(attention, columns)),
    ...problemsOfSubtotals(summary, groupable, columns.own),
  ];
}

function problemsOfFigure({ key, title, kind, aggregate }: FigureDefinition, columns: KindsByColumn): string[] {
  const on = `figure ${quoteValue(key)}`;
  return [
    ...findNameProblems("figure", key),
    ...findTextProblems(`${on}: its title`, title, maxTitleLength),
    ...findAggregateKindProblems(on, { kind, aggregate }, columns),
  ];
}

function problemsOfChart(
  { key, title, categories, series, measure }: ChartDefinition,
  columns: KindsByColumn,
): string[] {
  const on = `chart ${quoteValue(key)}`;
  return [
    ...findNameProblems("chart", key),
    ...findTextProblems(`${on}: its title`, title, maxTitleLength),
    ...findChartMeasureProblems(`${on}: its measure`, measure, columns),
    ...("parts" in categories
      ? problemsOfParts(`${on}: its parts`, categories.parts, 100, columns)
      : [
          ...findUnknownColumnProblems(`${on}: its categories`, categories.column, columns),
          ...findIntegerProblems(`${on}: top`, categories.top, 1, 100),
        ]),
    ...(series === undefined ? [] : problemsOfParts(`${on}: its series`, series, 10, columns)),
  ];
}

function problemsOfParts(on: string, parts: readonly ChartPart[], most: number, columns: KindsByColumn): string[] {
  const labels = parts.map(({ label }) => label);
  return [
    ...findCountProblems("of them", parts, 1, most).map((problem) => `${on}: ${problem}`),
    ...findRepeatedNameProblems(`${on}: the label`, labels),
    ...parts.flatMap(({ label, where }) => [
      ...findTextProblems(`${on}: each label`, label, maxTitleLength),
      ...findConditionProblems(`${on}, ${quoteValue(label)}`, where, columns),
    ]),
  ];
}

function problemsOfAttention(
  { title, where, columns: shown, pdfColumns = shown, sort, limit }: AttentionDefinition,
  columns: DefinitionColumnKinds,
): string[] {
  const on = "attention";
  return [
    ...findTextProblems(`${on}: its title`, title, maxTitleLength),
    ...findConditionProblems(`${on}: its condition`, where, columns.logical),
    ...findCountProblems("columns", shown, 1, columns.own.size).map((problem) => `${on}: ${problem}`),
    ...findRepeatedNameProblems(`${on}: the column`, shown),
    ...shown.flatMap((key) => findUnknownColumnProblems(`${on}: its columns`, key, columns.own)),
    ...findCountProblems("pdfColumns", pdfColumns, 1, shown.length).map((problem) => `${on}: ${problem}`),
    ...findRepeatedNameProblems(`${on}: the column`, pdfColumns),
    ...pdfColumns
      .filter((key) => !shown.includes(key))
      .map(
        (key) =>
          `${on}: its pdfColumns: ${quoteValue(key)} is not among its columns. ${describeAllowedNames(key, shown)}`,
      ),
    ...findSortableColumnProblems(`${on}: its sort`, keysIn(sort), columns.logical),
    ...findIntegerProblems(`${on}: limit`, limit, 1, 1_000),
  ];
}

export function findSortableColumnProblems(on: string, keys: readonly string[], columns: KindsByColumn): string[] {
  return [
    ...findRepeatedNameProblems(`${on}: the column`, keys),
    ...keys.flatMap((key) => findUnknownColumnProblems(on, key, columns)),
    ...keys.flatMap((key) =>
      columns.get(key) === "list" ? [`${on}: ${key} is a list, and lists have no order.`] : [],
    ),
  ];
}

/** Returns the problems of subtotals. Subtotals are computed from the rows of the file, so they cannot use columns that only the view has. */
function problemsOfSubtotals(
  { figures, subtotals = [] }: SummaryDefinition,
  groupable: readonly string[],
  columns: KindsByColumn,
): string[] {
  if (subtotals.length === 0) return [];
  return [
    ...findCountProblems("subtotals", subtotals, 0, maxSubtotals),
    ...findRepeatedNameProblems("subtotals: the figure", subtotals),
    ...(groupable.length > 0 ? [] : ["subtotals are shown for each group, and groupable names no column."]),
    ...subtotals.flatMap((key) => {
      const figure = figures.find((each) => each.key === key);
      if (figure === undefined) return findUnknownNameProblems("subtotals", "figure", [key], keysIn(figures));
      return findAggregateColumns(figure.aggregate)
        .filter((column) => !columns.has(column))
        .map(
          (column) =>
            `subtotals: the figure ${quoteValue(key)} uses ${quoteValue(column)}, which is not a column of the report.`,
        );
    }),
  ];
}
