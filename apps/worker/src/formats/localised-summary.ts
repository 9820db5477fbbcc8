import {
  isCountAggregate,
  parseOmittedLabel,
  type Chart,
  type ChartDefinition,
  selectAggregateDisplay,
  type ColumnKind,
  type ReportColumn,
  type FigureDisplay,
  type ReportSummary,
  type ReportTypeDefinition,
} from "@reports/core/report";
import type { NumberFormatter } from "./number-formatter.ts";
import { createBooleanTitles, createTitleLookup } from "./value-titles.ts";
import type { Words } from "./words/words.ts";

export interface LocalisedChart extends Chart, FigureDisplay {
  readonly kind: ColumnKind;
}

export interface LocalisedSummary extends Omit<ReportSummary, "charts"> {
  readonly charts: readonly LocalisedChart[];
}

type DefinitionParts = Pick<ReportTypeDefinition, "columns" | "summary"> & Partial<Pick<ReportTypeDefinition, "where">>;

interface SummaryConventions {
  readonly words: Words;
  readonly numbers: NumberFormatter;
}

/** Replaces codes in a summary by titles, and English labels by the document's language. Formats for programs keep codes and English. */
export function toLocalisedSummary(
  summary: ReportSummary,
  definition: DefinitionParts,
  conventions: SummaryConventions,
): LocalisedSummary {
  return { ...summary, charts: summary.charts.map((chart) => chartInWords(chart, definition, conventions)) };
}

function chartInWords(chart: Chart, definition: DefinitionParts, conventions: SummaryConventions): LocalisedChart {
  const { columns, summary } = definition;
  const own = summary.charts.find(({ key }) => key === chart.key);
  const columnOf = (key: string) => columns.find((column) => column.key === key);
  const categories = own !== undefined && "column" in own.categories ? columnOf(own.categories.column) : undefined;
  const titleOf = createCategoryTitles(categories, conventions.words);
  const points = chart.points.map((point) => ({ ...point, label: titleOf(point.label) }));
  const isSplit = own === undefined || (own.series ?? []).length > 0;
  const measured = measureTitle(own?.measure, conventions.words, (key) => columnOf(key)?.title);
  const series = isSplit ? chart.series : chart.series.map((one) => ({ ...one, label: measured }));
  const omitted = chart.omitted.map((one) => ({
    ...one,
    label: omittedInWords(one.label, categories, conventions),
  }));
  return {
    ...chart,
    points,
    series,
    omitted,
    kind: measureKind(own?.measure, (key) => columnOf(key)?.kind),
    ...(own === undefined ? {} : selectAggregateDisplay(own.measure, definition)),
  };
}

function createCategoryTitles(column: ReportColumn | undefined, words: Words): (value: string) => string {
  if (column?.kind !== "boolean") return createTitleLookup(column?.titles);
  const titles = createBooleanTitles(words);
  return createTitleLookup({
    t: words.text("groupTitle", { column: column.title, value: titles.t }),
    f: words.text("groupTitle", { column: column.title, value: titles.f }),
  });
}

function omittedInWords(
  label: string,
  categories: ReportColumn | undefined,
  { words, numbers }: SummaryConventions,
): string {
  const read = parseOmittedLabel(label);
  if (read === null) return label;
  const columnTitle = categories?.title ?? "";
  // Row snapshots of earlier versions label the group of missing booleans with “no” and the column's title, such as “no isolation”.
  if (read.kind === "notKnown" || (read.kind === "withoutValue" && categories?.kind === "boolean"))
    return columnTitle === ""
      ? label
      : words.text("groupTitle", { column: columnTitle, value: words.text("notKnown") });
  if (read.kind === "withoutValue") {
    const column = words.inSentence(columnTitle);
    return column === "" ? label : words.text("omittedWithoutValue", { column });
  }
  const count = numbers.decimal(String(read.count));
  if (read.kind === "tooMany") return words.text("omittedTooMany", { count });
  return words.counted("omittedOthers", read.count, count);
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
  if (measure === undefined || !("column" in measure) || isCountAggregate(measure)) return "integer";
  return kindOfColumn(measure.column) ?? "decimal";
}
