import type { SortKey } from "../../query/sort-key.ts";
import type { ColumnKind, NumberDisplay, ReportColumn } from "./column.ts";

/** The meaning of a value. Formats show a tone as a colour, but never only as a colour. */
export type Tone = "good" | "warn" | "bad" | "muted" | "neutral";

/** A condition on one column. A row must pass every given test. Null passes only `isNull: true`. */
export interface Condition<Column extends string = string> {
  readonly column: Column;
  /** The value equals one of these; a list contains one of these. */
  readonly in?: readonly string[];
  /** Lower bound, inclusive. */
  readonly atLeast?: number;
  /** Upper bound, exclusive. */
  readonly below?: number;
  readonly isNull?: boolean;
}

/**
 * Aggregates of the values of one column. Rows without a value are ignored. Without any value, `distinct` is 0 and the others are null.
 * `sum`: the exact sum of numbers. `avg`: their mean, rounded to six decimal places.
 * `min`, `max`: the least and the greatest number, date or time. `distinct`: the exact number of different values.
 */
export const columnAggregateKinds = ["sum", "avg", "min", "max", "distinct"] as const;
/** Aggregate of the values of one column, one of columnAggregateKinds. */
export type ColumnAggregateKind = (typeof columnAggregateKinds)[number];

/** A value that is computed over all rows of the report, or over those that meet `where`. */
export type Aggregate<Column extends string = string> =
  | { readonly kind: "count"; readonly where?: Condition<Column> }
  | { readonly kind: ColumnAggregateKind; readonly column: Column; readonly where?: Condition<Column> }
  | { readonly kind: "weighted-mean"; readonly column: Column; readonly weight: Column };

export function findAggregateColumns(aggregate: Aggregate): readonly string[] {
  return [
    ...("column" in aggregate ? [aggregate.column] : []),
    ...("weight" in aggregate ? [aggregate.weight] : []),
    ...("where" in aggregate && aggregate.where !== undefined ? [aggregate.where.column] : []),
  ];
}

export function isCountAggregate({ kind }: Aggregate): boolean {
  return kind === "count" || kind === "distinct";
}

/** Reports whether the aggregates of parts add up to that of the whole. */
export function isAdditiveAggregate({ kind }: Aggregate): boolean {
  return kind === "count" || kind === "sum";
}

/** A key figure. Its unit, currency and digits are by default those of the column that it aggregates. */
export interface FigureDefinition<Column extends string = string> extends Omit<NumberDisplay, "currency"> {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly aggregate: Aggregate<Column>;
  readonly tone?: Tone;
  readonly currency?: string;
}

/** One bar of a chart, or one colour in its bars: the rows that meet `where`. */
export interface ChartPart<Column extends string = string> {
  readonly label: string;
  readonly where: Condition<Column>;
  readonly tone?: Tone;
}

/** A bar chart. Its categories are the `top` values of a column with the largest measure, or fixed parts. `measure` gives the length of a bar, and `series` splits each bar into colours. */
export interface ChartDefinition<Column extends string = string> {
  readonly key: string;
  readonly title: string;
  readonly categories:
    | { readonly column: Column; readonly top: number }
    | { readonly parts: readonly ChartPart<Column>[] };
  readonly series?: readonly ChartPart<Column>[];
  readonly measure: Aggregate<Column>;
}

/** The attention list: the rows at which people should look first. */
export interface AttentionDefinition<Key extends string = string, Column extends string = Key> {
  readonly title: string;
  readonly where: Condition<Column>;
  readonly columns: readonly Key[];
  /** Keys of the attention list's columns that a pdf shows, in order; about eight fit on a line. Default: all. */
  readonly pdfColumns?: readonly Key[];
  readonly sort: readonly SortKey<Key>[];
  readonly limit: number;
}

/** Figures, charts and attention list of a report type. */
export interface SummaryDefinition<Key extends string = string, Column extends string = Key> {
  readonly figures: readonly FigureDefinition<Column>[];
  readonly charts: readonly ChartDefinition<Column>[];
  readonly attention?: AttentionDefinition<Key, Column>;
  readonly subtotals?: readonly string[];
}

/** A key figure with its value as wire text; null if no row has a value. */
export interface Figure extends Pick<FigureDefinition, "unit" | "currency" | "digits"> {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly value: string | null;
  readonly tone: Tone;
}

/**
 * The numbers of a chart. The `values` of a point have one element per series, or one if the chart has no series. An element is null if no row has a
 * value, or if the value is not finite. If a value of the point is an integer beyond 2^53, `NaN` or infinite, `exact` holds all values of the point
 * as text.
 */
export interface Chart {
  readonly key: string;
  readonly title: string;
  readonly series: readonly { readonly label: string; readonly tone: Tone }[];
  readonly points: readonly {
    readonly label: string;
    readonly tone: Tone;
    readonly values: readonly (number | null)[];
    readonly exact?: readonly (string | null)[];
  }[];
  /** Totals that no bar shows: of rows without a category, and of all categories after the `top` ones. `value` is null if the total is not finite. */
  readonly omitted: readonly { readonly label: string; readonly value: number | null; readonly exact?: string }[];
}

/** Rows that need action; `total` includes those beyond the limit. Values are wire texts. */
export interface AttentionList {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly total: number;
}

/** A report's figures, charts and attention list, computed in the rows' snapshot. */
export interface ReportSummary {
  readonly figures: readonly Figure[];
  readonly charts: readonly Chart[];
  readonly attention: AttentionList | null;
}

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
