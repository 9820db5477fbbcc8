import type { InputIssue } from "../base/errors.ts";

/**
 * How a filter's value meets its columns:
 * - `in`: equals one of the values; `contains`: case-insensitive literal substring of any of the columns;
 * - `suffix`: the text ends with one of the values at a label boundary (`example.org` finds itself and `a.example.org`);
 * - `serves`: a host name that equals the value, or the wildcard that covers it: `*.example.org` covers `a.example.org`, and no deeper name;
 * - `has`: the list column holds one of the values; `from`: at or after; `to`: before.
 */
export type FilterOperator = "in" | "contains" | "suffix" | "serves" | "has" | "from" | "to";

/** What one value of a filter may be. */
export type FilterValueKind = "text" | "enum" | "integer" | "boolean" | "timestamp" | "uuid" | "hostname";

/** The form that texts are written in. */
export interface TextForm {
  /** The text as it would be stored; null for what cannot be. */
  normalise(text: string): string | null;
  /** What the text must be, in words that complete "… must be". */
  readonly rule: string;
}

/** One filter of a collection or report type. The same definition serves the list's query and the report's searchParam. */
export interface Filter<Column extends string = string> {
  readonly name: string;
  readonly operator: FilterOperator;
  readonly value: FilterValueKind;
  /** Logical columns of what is filtered. Object rows, which filter themselves, may name none. */
  readonly columns: readonly Column[];
  /** The allowed values, of an enum. */
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Characters. */
  readonly maxLength?: number;
  /**
   * Of a text whose columns hold no control characters, so that a value with any is refused; where the operator is `contains`, line breaks and
   * tabs are taken.
   */
  readonly plainText?: true;
  /** Of a text whose column only holds texts of a certain form: what could never match is refused. */
  readonly form?: TextForm;
  readonly description: string;
}

/** One value of a filter, normalised. */
export type FilterValue = string | number | boolean;

/**
 * Normalised filters: names in alphabetical order. `in`, `suffix`, `serves` and `has` hold a sorted list without repeats; `contains`, `from` and `to` hold one value.
 * Times are RFC 3339 in UTC.
 */
export type SearchParam = Readonly<Record<string, FilterValue | readonly FilterValue[]>>;

/**
 * Filters that passed, or everything that was wrong with them. `given` is what was written, normalised too, in which relative times are still
 * relative; `filters` has their instants.
 */
export type FilterResult =
  | { readonly ok: true; readonly filters: SearchParam; readonly given: SearchParam }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };
