import type { SortKey } from "../../query/sort-key.ts";
import type { ColumnKind, ReportColumn } from "./column.ts";

/** How a value should be felt: formats turn it into colour, and never into colour alone. */
export type Tone = "good" | "warn" | "bad" | "muted" | "neutral";

/**
 * A condition on one column, used by figures, chart parts, the attention list and the fixed conditions of a report type. Lists match when
 * they hold any of the values. Several of its tests are all to be met; a null meets `isNull: true` alone.
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

/** A number that is computed by the database over all rows of the report, in the snapshot of the rows. */
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

/** One bar (or one colour of it): those rows that meet the condition. */
export interface ChartPart<Column extends string = string> {
  readonly label: string;
  readonly where: Condition<Column>;
  readonly tone?: Tone;
}

/**
 * A chart. Its categories are either the commonest `top` values of a column or fixed parts (a histogram);
 * `series` splits every bar; `measure` is what a bar counts.
 */
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
  /** Keys of columns of the report. */
  readonly columns: readonly Key[];
  readonly sort: readonly SortKey<Key>[];
  readonly limit: number;
}

/** What a report type shows beside its rows. */
export interface SummaryDefinition<Key extends string = string, Column extends string = Key> {
  readonly figures: readonly FigureDefinition<Column>[];
  readonly charts: readonly ChartDefinition<Column>[];
  readonly attention?: AttentionDefinition<Key, Column>;
}

/** A figure with its value, in the text form of its kind in the wire form; null where there is nothing to compute it of. */
export interface Figure {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
  readonly value: string | null;
  readonly tone: Tone;
}

/**
 * A chart with its numbers. `values` of a point has one element per series; a chart that is not split has one series. An element is null where
 * no row has a value, and where the value is not a finite number. Where a double does not hold one of them (an integer beyond 2^53, `NaN`,
 * `Infinity`), `exact` has them all as text.
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
  /**
   * What no bar shows, though the rows have it: those without a value to be grouped by, and the categories after the largest. `value` is the
   * measure of all of them; null where it cannot be added up, where no row has a value, and where it is not a finite number.
   */
  readonly omitted: readonly { readonly label: string; readonly value: number | null; readonly exact?: string }[];
}

/** The rows that need action; `total` counts those beyond the limit too. Values are in the text form of the wire form. */
export interface Attention {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly total: number;
}

/** All that a report shows beside its rows, computed in the same snapshot. */
export interface ReportSummary {
  readonly figures: readonly Figure[];
  readonly charts: readonly Chart[];
  readonly attention: Attention | null;
}
