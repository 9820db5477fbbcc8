import type { InputIssue } from "../base/errors.ts";

export const filterOperators = [
  "in",
  "notIn",
  "contains",
  "suffix",
  "serves",
  "has",
  "from",
  "to",
  "empty",
  "parameter",
] as const;
/**
 * How a filter compares its values with its columns.
 * `in`: the column equals one of the values.
 * `notIn`: the column equals none of the values. Rows without a value match.
 * `contains`: one of the columns contains the value. Upper and lower case are equal.
 * `suffix`: the column equals a value, or ends with a dot and the value: `example.org` finds `example.org` and `a.example.org`.
 * `serves`: the column equals a value, or is its wildcard: `a.example.org` finds `a.example.org` and `*.example.org`.
 * `has`: the list column contains one of the values.
 * `from`: the column is at or after the value. `to`: the column is before the value.
 * `empty`: the column has no value (`true`) or has one (`false`). A list without elements has no value, but an empty text is a value.
 * `parameter`: the value is an argument of the function that returns the rows.
 */
export type FilterOperator = (typeof filterOperators)[number];

export const filterValueKinds = [
  "text",
  "enum",
  "integer",
  "decimal",
  "boolean",
  "timestamp",
  "date",
  "time",
  "uuid",
  "hostname",
] as const;
/** Kind of a filter's values. `date` is a day of the calendar. `time` is a time of day. `decimal` is an exact number, written as text. */
export type FilterValueKind = (typeof filterValueKinds)[number];

/** The form of the texts in a column, such as host names or country codes. */
export interface TextForm {
  /** Returns the text in its stored form; null if the text does not have the form. */
  normalise(text: string): string | null;
  readonly rule: string;
}

/** A view whose rows list the values that a filter allows. */
export interface FilterValuesSource {
  readonly view: string;
  /** Column of the view that holds the values. Rows in which it is null are ignored. */
  readonly column: string;
  /** Column of the view that holds titles of the values, for people. Default: the values themselves. */
  readonly title?: string;
}

/** A filter of a list or a report type. Callers use it in the query of a list, or in the `searchParam` of a report. */
export interface Filter<Column extends string = string> {
  readonly name: string;
  /** Earlier names of the filter, the oldest first. Requests, stored reports and schedules may still use them. Default: none. */
  readonly formerly?: readonly string[];
  readonly operator: FilterOperator;
  readonly value: FilterValueKind;
  /** Logical columns that the filter compares. Can be empty for object rows, because their author filters them. */
  readonly columns: readonly Column[];
  readonly values?: readonly string[];
  /** View that lists the allowed values of a filter for texts. Forms suggest these values. Only for report types with rows of a view. */
  readonly valuesFrom?: FilterValuesSource;
  readonly min?: number;
  readonly max?: number;
  /** Shortest value of a text filter, in characters. Default: 1. */
  readonly minLength?: number;
  /** Longest value of a text filter, in characters. Default: 255. */
  readonly maxLength?: number;
  /** Set if the columns contain no control characters. Values with control characters are then refused; `contains` allows line breaks and tabs. */
  readonly plainText?: true;
  /** The form of the texts in the columns. Values of another form are refused, because they can never match. */
  readonly form?: TextForm;
  /** Set if every start must contain the filter. Only for filters of report types. */
  readonly required?: true;
  /** Value, or values, of a start without the filter, such as `today-P30D`. A caller cannot switch it off. Only for filters of report types. */
  readonly default?: FilterValue | readonly FilterValue[];
  readonly description: string;
}

/** One normalised value of a filter. */
export type FilterValue = string | number | boolean;

/**
 * A caller's filters: normalised values by filter name, in alphabetical order. The operators `contains`, `from`, `to`, `empty` and `parameter` have
 * one value, all others a sorted list without duplicates. Times are RFC 3339 in UTC, days `YYYY-MM-DD`, times of day `hh:mm:ss[.ffffff]`, and
 * decimals texts.
 */
export type SearchParam = Readonly<Record<string, FilterValue | readonly FilterValue[]>>;

/**
 * Normalised filters, or all mistakes in them. `given` keeps relative times as written; `filters` has their instants or days. `defaulted` names the
 * filters that have their default.
 */
export type FilterParseResult =
  | {
      readonly ok: true;
      readonly filters: SearchParam;
      readonly given: SearchParam;
      readonly defaulted: readonly string[];
    }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };
