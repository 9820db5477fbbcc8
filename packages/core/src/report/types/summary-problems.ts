import { describeAllowedNames } from "../../query/nearest-name.ts";
import { problemsOfMeasure, problemsOfShownAggregate } from "./aggregate-problems.ts";
import type { ColumnKind } from "./column.ts";
import { problemsOfCondition } from "./condition-problems.ts";
import {
  problemsOfColumn,
  problemsOfCount,
  problemsOfInteger,
  problemsOfName,
  problemsOfRepeats,
  problemsOfText,
  quoteValue,
  type KnownColumns,
} from "./definition-rules.ts";
import type {
  AttentionDefinition,
  ChartDefinition,
  ChartPart,
  FigureDefinition,
  SummaryDefinition,
} from "./summary.ts";

type KindsByColumn = ReadonlyMap<string, ColumnKind>;

const maxTitleLength = 120;

export function problemsOfSummary({ figures, charts, attention }: SummaryDefinition, columns: KnownColumns): string[] {
  return [
    ...problemsOfCount("figures", figures, 0, 40),
    ...problemsOfRepeats(
      "figure",
      figures.map(({ key }) => key),
    ),
    ...figures.flatMap((figure) => problemsOfFigure(figure, columns.logical)),
    ...problemsOfCount("charts", charts, 0, 20),
    ...problemsOfRepeats(
      "chart",
      charts.map(({ key }) => key),
    ),
    ...charts.flatMap((chart) => problemsOfChart(chart, columns.logical)),
    ...(attention === undefined ? [] : problemsOfAttention(attention, columns)),
  ];
}

function problemsOfFigure({ key, title, kind, aggregate }: FigureDefinition, columns: KindsByColumn): string[] {
  const on = `figure ${quoteValue(key)}`;
  return [
    ...problemsOfName("figure", key),
    ...problemsOfText(`${on}: its title`, title, maxTitleLength),
    ...problemsOfShownAggregate(on, { kind, aggregate }, columns),
  ];
}

function problemsOfChart(
  { key, title, categories, series, measure }: ChartDefinition,
  columns: KindsByColumn,
): string[] {
  const on = `chart ${quoteValue(key)}`;
  return [
    ...problemsOfName("chart", key),
    ...problemsOfText(`${on}: its title`, title, maxTitleLength),
    ...problemsOfMeasure(`${on}: its measure`, measure, columns),
    ...("parts" in categories
      ? problemsOfParts(`${on}: its parts`, categories.parts, 100, columns)
      : [
          ...problemsOfColumn(`${on}: its categories`, categories.column, columns),
          ...problemsOfInteger(`${on}: top`, categories.top, 1, 100),
        ]),
    ...(series === undefined ? [] : problemsOfParts(`${on}: its series`, series, 10, columns)),
  ];
}

function problemsOfParts(on: string, parts: readonly ChartPart[], most: number, columns: KindsByColumn): string[] {
  return [
    ...problemsOfCount("of them", parts, 1, most).map((problem) => `${on}: ${problem}`),
    ...problemsOfRepeats(
      `${on}: the label`,
      parts.map(({ label }) => label),
    ),
    ...parts.flatMap(({ label, where }) => [
      ...problemsOfText(`${on}: each label`, label, maxTitleLength),
      ...problemsOfCondition(`${on}, ${quoteValue(label)}`, where, columns),
    ]),
  ];
}

function problemsOfAttention(
  { title, where, columns: shown, pdfColumns = shown, sort, limit }: AttentionDefinition,
  columns: KnownColumns,
): string[] {
  const on = "attention";
  return [
    ...problemsOfText(`${on}: its title`, title, maxTitleLength),
    ...problemsOfCondition(`${on}: its condition`, where, columns.logical),
    ...problemsOfCount("columns", shown, 1, columns.own.size).map((problem) => `${on}: ${problem}`),
    ...problemsOfRepeats(`${on}: the column`, shown),
    ...shown.flatMap((key) => problemsOfColumn(`${on}: its columns`, key, columns.own)),
    ...problemsOfCount("pdfColumns", pdfColumns, 1, shown.length).map((problem) => `${on}: ${problem}`),
    ...problemsOfRepeats(`${on}: the column`, pdfColumns),
    ...pdfColumns
      .filter((key) => !shown.includes(key))
      .map(
        (key) =>
          `${on}: its pdfColumns: ${quoteValue(key)} is not among its columns. ${describeAllowedNames(key, shown)}`,
      ),
    ...problemsOfSortableColumns(
      `${on}: its sort`,
      sort.map(({ key }) => key),
      columns.logical,
    ),
    ...problemsOfInteger(`${on}: limit`, limit, 1, 1_000),
  ];
}

export function problemsOfSortableColumns(on: string, keys: readonly string[], columns: KindsByColumn): string[] {
  return [
    ...problemsOfRepeats(`${on}: the column`, keys),
    ...keys.flatMap((key) => problemsOfColumn(on, key, columns)),
    ...keys.flatMap((key) =>
      columns.get(key) === "list" ? [`${on}: ${key} is a list, and lists have no order.`] : [],
    ),
  ];
}
