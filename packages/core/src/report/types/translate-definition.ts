import type { ReportColumn } from "./column.ts";
import { toSingularUnit } from "./number-display.ts";
import type { Language } from "./language.ts";
import type { ChartDefinition, ChartPart, Figure, ReportSummary } from "./summary.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { TextsByLanguage, TypeTexts } from "./type-texts.ts";

export function textsOf({ texts }: Pick<ReportTypeDefinition, "texts">, language: Language): TypeTexts {
  return (language === "en" ? undefined : texts?.[language]) ?? {};
}

export function translateDefinition(definition: ReportTypeDefinition, language: Language): ReportTypeDefinition {
  const texts = textsOf(definition, language);
  const { figures, charts, attention, ...others } = definition.summary;
  return {
    ...definition,
    title: texts.title ?? definition.title,
    description: texts.description ?? definition.description,
    columns: translateColumns(definition.columns, texts),
    summary: {
      ...others,
      figures: figures.map((figure) => translateFigure(figure, texts)),
      charts: charts.map((chart) => translateChart(chart, texts)),
      ...(attention === undefined ? {} : { attention: { ...attention, title: texts.attention ?? attention.title } }),
    },
  };
}

export function selectColumnTexts(texts: TextsByLanguage, has: (key: string) => boolean): TextsByLanguage {
  const select = <Word>(words: Readonly<Partial<Record<string, Word>>> = {}) =>
    Object.fromEntries(Object.entries(words).filter(([key]) => has(key))) as Readonly<Record<string, Word>>;
  const entries = Object.entries(texts).map(([language, words]) => [
    language,
    { ...words, columns: select(words.columns), titles: select(words.titles), meanings: select(words.meanings) },
  ]);
  return Object.fromEntries(entries) as TextsByLanguage;
}

export function translateColumns(columns: readonly ReportColumn[], texts: TypeTexts): readonly ReportColumn[] {
  return columns.map((column) => ({
    ...column,
    title: wordOf(texts.columns, column.key) ?? column.title,
    ...translateUnit(column, texts),
    ...translateValues("titles", column, texts),
    ...translateValues("meanings", column, texts),
  }));
}

export function translateSummary(
  summary: ReportSummary,
  english: Pick<ReportTypeDefinition, "summary">,
  texts: TypeTexts,
): ReportSummary {
  const { figures, charts, attention } = summary;
  const hasParts = (key: string): boolean =>
    english.summary.charts.some((chart) => chart.key === key && "parts" in chart.categories);
  const relabel = <Labelled extends { readonly label: string }>(one: Labelled): Labelled => ({
    ...one,
    label: wordOf(texts.labels, one.label) ?? one.label,
  });
  return {
    figures: figures.map((figure) => translateFigure(figure, texts)),
    charts: charts.map((chart) => ({
      ...chart,
      title: wordOf(texts.charts, chart.key) ?? chart.title,
      series: chart.series.map(relabel),
      // The labels of other charts are values from the rows, which are not translated.
      points: hasParts(chart.key) ? chart.points.map(relabel) : chart.points,
    })),
    attention: attention && {
      ...attention,
      title: texts.attention ?? attention.title,
      columns: translateColumns(attention.columns, texts),
    },
  };
}

function translateFigure<Of extends Pick<Figure, "key" | "title" | "unit">>(figure: Of, texts: TypeTexts): Of {
  return { ...figure, title: wordOf(texts.figures, figure.key) ?? figure.title, ...translateUnit(figure, texts) };
}

/** Leaves countable units such as `days` unchanged, because documents translate these units themselves. */
function translateUnit({ unit }: { readonly unit?: string }, { labels }: TypeTexts): { readonly unit?: string } {
  if (unit === undefined) return {};
  return { unit: toSingularUnit(unit) === null ? (wordOf(labels, unit) ?? unit) : unit };
}

function translateValues(kind: "titles" | "meanings", column: ReportColumn, texts: TypeTexts): Partial<ReportColumn> {
  const words = column[kind];
  const translated = wordOf(texts[kind], column.key);
  return words === undefined || translated === undefined ? {} : { [kind]: { ...words, ...translated } };
}

function translateChart(chart: ChartDefinition, { charts, labels }: TypeTexts): ChartDefinition {
  const translate = (parts: readonly ChartPart[]): ChartPart[] =>
    parts.map((part) => ({ ...part, label: wordOf(labels, part.label) ?? part.label }));
  const { categories, series } = chart;
  return {
    ...chart,
    title: wordOf(charts, chart.key) ?? chart.title,
    categories: "parts" in categories ? { parts: translate(categories.parts) } : categories,
    ...(series === undefined ? {} : { series: translate(series) }),
  };
}

/** Looks up a word among own properties only, because an inherited property such as `constructor` is not a word. */
function wordOf<Word>(words: Readonly<Partial<Record<string, Word>>> | undefined, key: string): Word | undefined {
  return words !== undefined && Object.hasOwn(words, key) ? words[key] : undefined;
}
