import type { InputIssue } from "../base/errors.ts";

/**
 * How a filter's value matches its columns:
 * - `in`: equals one of the values; `contains`: case-insensitive literal substring of any of the columns;
 * - `suffix`: the text ends with one of the values at a label boundary (`example.org` finds itself and `a.example.org`);
 * - `serves`: a host name that equals the value, or the wildcard that covers it: `*.example.org` covers `a.example.org`, and no deeper name;
 * - `has`: the list column holds one of the values; `from`: at or after; `to`: before.
 */
export type FilterOperator = "in" | "contains" | "suffix" | "serves" | "has" | "from" | "to";

/** Kinds of a filter's values. */
export type FilterValueKind = "text" | "enum" | "integer" | "boolean" | "timestamp" | "uuid" | "hostname";

/** The form of a text. */
export interface TextForm {
  /** The text in its stored form; null if it is invalid. */
  normalise(text: string): string | null;
  /** Completes "… must be". */
  readonly rule: string;
}

/** One filter of a collection or report type, for the list's query and the report's searchParam. */
export interface Filter<Column extends string = string> {
  readonly name: string;
  readonly operator: FilterOperator;
  readonly value: FilterValueKind;
  /** Logical columns. Object rows, which filter themselves, may name none. */
  readonly columns: readonly Column[];
  /** The allowed values, of an enum. */
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Characters. */
  readonly maxLength?: number;
  /** For texts whose columns hold no control characters: a value with any is refused, except line breaks and tabs for `contains`. */
  readonly plainText?: true;
  /** For texts of a certain form: values that can never match are refused. */
  readonly form?: TextForm;
  readonly description: string;
}

/** One normalised value of a filter. */
export type FilterValue = string | number | boolean;

/**
 * Normalised filters with names in alphabetical order. `in`, `suffix`, `serves` and `has` hold a sorted list without repeats; `contains`, `from` and `to` hold one
 * value. Times are RFC 3339 in UTC.
 */
export type SearchParam = Readonly<Record<string, FilterValue | readonly FilterValue[]>>;

/** Normalised filters, or everything that is wrong with them. `given` keeps relative times; `filters` has their instants. */
export type FilterResult =
  | { readonly ok: true; readonly filters: SearchParam; readonly given: SearchParam }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };
