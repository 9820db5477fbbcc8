import type { SortKey } from "../../query/sort-key.ts";
import type { ColumnKind, ReportColumn } from "./column.ts";

/** The meaning of a value: formats show it as colour, and never only as colour. */
export type Tone = "good" | "warn" | "bad" | "muted" | "neutral";

/**
 * A condition on one column, in figures, chart parts, attention list and a type's fixed conditions. Lists match if they hold any of the
 * values. All tests must be met; a null meets only `isNull: true`.
 */
export interface Condition<Column extends string = string> {
  readonly column: Column;
  readonly in?: readonly string[];
  /** Inclusive. */
  readonly atLeast?: number;
  /** Exclusive. */
  readonly below?: number;
  readonly isNull?: boolean;
}

/** A number that the database computes over all rows, in their snapshot. */
export type Aggregate<Column extends string = string> =
  | { readonly kind: "count"; readonly where?: Condition<Column> }
  | { readonly kind: "sum"; readonly column: Column; readonly where?: Condition<Column> }
  | { readonly kind: "weighted-mean"; readonly column: Column; readonly weight: Column };

/** A key figure. */
export interface FigureDefinition<Column extends string = string> {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly aggregate: Aggregate<Column>;
  readonly tone?: Tone;
}

/** One bar (or one colour of it): the rows that meet the condition. */
export interface ChartPart<Column extends string = string> {
  readonly label: string;
  readonly where: Condition<Column>;
  readonly tone?: Tone;
}

/** `top` shows the most common values of a column, parts are fixed; `series` splits every bar by `measure`. */
export interface ChartDefinition<Column extends string = string> {
  readonly key: string;
  readonly title: string;
  readonly categories:
    | { readonly column: Column; readonly top: number }
    | { readonly parts: readonly ChartPart<Column>[] };
  readonly series?: readonly ChartPart<Column>[];
  readonly measure: Aggregate<Column>;
}

/** Rows that someone should look at first. */
export interface AttentionDefinition<Key extends string = string, Column extends string = Key> {
  readonly title: string;
  readonly where: Condition<Column>;
  /** Keys of the report's columns. */
  readonly columns: readonly Key[];
  readonly sort: readonly SortKey<Key>[];
  readonly limit: number;
}

/** Figures, charts and attention list of a report type. */
export interface SummaryDefinition<Key extends string = string, Column extends string = Key> {
  readonly figures: readonly FigureDefinition<Column>[];
  readonly charts: readonly ChartDefinition<Column>[];
  readonly attention?: AttentionDefinition<Key, Column>;
}

/** A figure's value as wire text; null without values. */
export interface Figure {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly value: string | null;
  readonly tone: Tone;
}

/**
 * A chart's numbers. A point's `values` has one element per series; a chart that is not split has one. An element is null if no row has a
 * value, and if the value is not finite. If a double does not hold a value (beyond 2^53, `NaN`, `Infinity`), `exact` holds all as text.
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
  /** Rows without a category, and categories after the largest. `value` is null if it has no finite total. */
  readonly omitted: readonly { readonly label: string; readonly value: number | null; readonly exact?: string }[];
}

/** Rows that need action; `total` includes those beyond the limit. Values are wire texts. */
export interface Attention {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly total: number;
}

/** A report's figures, charts and attention list, computed in the rows' snapshot. */
export interface ReportSummary {
  readonly figures: readonly Figure[];
  readonly charts: readonly Chart[];
  readonly attention: Attention | null;
}
