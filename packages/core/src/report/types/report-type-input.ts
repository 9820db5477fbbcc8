import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { FormatLimit } from "./type-definition.ts";
import type { ObjectRow, ObjectRows, RelationRows, ViewRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { AttentionDefinition, Condition, SummaryDefinition } from "./summary.ts";
import type { TextsByLanguage } from "./type-texts.ts";
import type { Filter } from "../../query/filters.ts";

/** A column as its author writes it. The default of `width` depends on the kind. */
export type ColumnInput<Key extends string = string> = Omit<ReportColumn<Key>, "width"> &
  Partial<Pick<ReportColumn, "width">>;

/** A sort key as its author writes it. The default order is ascending. */
export type SortInput<Key extends string = string> = Pick<SortKey<Key>, "key"> & Partial<Pick<SortKey, "descending">>;

/** The attention list (rows that need action first) as its author writes it. The default order of its sort keys is ascending. */
export type AttentionInput<Key extends string = string, Column extends string = Key> = Omit<
  AttentionDefinition<Key, Column>,
  "sort"
> & { readonly sort: readonly SortInput<Key>[] };

/** Figures, charts and the attention list, as their author writes them. */
export interface SummaryInput<Key extends string = string, Column extends string = Key> {
  /** Key figures. Default: the number of rows. */
  readonly figures?: SummaryDefinition<Key, Column>["figures"];
  /** Charts. Default: none. */
  readonly charts?: SummaryDefinition<Key, Column>["charts"];
  readonly attention?: AttentionInput<Key, Column>;
  /** Keys of the figures that pdf, xlsx and json also show for each group, at most 10. Default: none. */
  readonly subtotals?: readonly string[];
}

/**
 * A report type as its author writes it. `Key` is the union of the report's column keys. `Column` is the union of the keys that filters and
 * conditions may name: the logical columns of a view, or the columns of a type with object rows.
 */
export interface ReportTypeInput<Key extends string = string, Column extends string = string, Row = ObjectRow> {
  /** Name of the type in UPPER_SNAKE, at most 63 characters, such as `INVOICE`. */
  readonly type: string;
  /** Integer from 1. Raise the version when columns or their meaning change. Every report stores the version with which it was started. */
  readonly version: number;
  readonly title: string;
  /** Description in one or two sentences. Default: a list of the columns. */
  readonly description?: string;
  readonly columns: readonly ColumnInput<Key>[];
  readonly rows: RelationRows | ViewRows<Column> | ObjectRows<Row>;
  /** Filters that callers can use. Default: none. */
  readonly filters?: readonly Filter<Column>[];
  /** Names of the filters that forms show first, in this order. Default: none; forms then begin with `q` and the choices. */
  readonly prominentFilters?: readonly string[];
  /** Conditions that every row must meet, in addition to the caller's filters. Default: none. */
  readonly where?: readonly Condition<Column>[];
  /** Keys of the columns that a pdf shows by default; eight to ten fit on a line. Default: all columns. */
  readonly pdfColumns?: readonly Key[];
  /** Order of the rows if the caller chooses none. Default: the first column that is not a list, ascending. */
  readonly defaultSort?: readonly SortInput<Key>[];
  /** Keys of the columns by which callers can group rows. Default: none. */
  readonly groupable?: readonly Key[];
  /** Formats that callers can choose, with their limits. Default: every format, with its default limit. */
  readonly formats?: Readonly<Partial<Record<ReportFormat, Partial<FormatLimit>>>>;
  readonly summary?: SummaryInput<Key, Column>;
  /** Words in other languages than English, for pdf and xlsx. Missing words stay English. Default: none. */
  readonly texts?: TextsByLanguage<Key>;
}

interface ValueOfKind {
  readonly text: string;
  readonly integer: number | bigint | string;
  readonly bigint: number | bigint | string;
  readonly decimal: number | bigint | string;
  readonly ratio: number | bigint | string;
  readonly bytes: number | bigint | string;
  readonly duration: number | bigint | string;
  readonly boolean: boolean;
  readonly timestamp: Date;
  readonly date: Date | string;
  readonly time: string;
  readonly list: readonly string[];
}

type KeyOf<Given extends ReportTypeInput> = Given["columns"][number]["key"];

/** Keys that filters and conditions may name. For a relation, every key compiles, because only packages/db knows its columns. */
type ColumnOf<Given extends ReportTypeInput> = Given["rows"] extends {
  readonly kind: "view";
  readonly columns: infer Columns;
}
  ? KeyOf<Given> | (keyof Columns & string)
  : Given["rows"] extends { readonly kind: "objects" }
    ? KeyOf<Given>
    : string;

type RowOf<Given extends ReportTypeInput> = {
  readonly [Column in Given["columns"][number] as Column["key"]]?: ValueOfKind[Column["kind"]] | null;
};

declare const noSuchField: unique symbol;

/** Type of a field that a definition cannot have. No value has this type, so TypeScript's message names the field and the allowed fields. */
export interface NoSuchField<Name, Allowed> {
  readonly [noSuchField]: readonly [Name, Allowed];
}

/** The names of all fields, each with a dot. Without the dot, TypeScript's messages only say `keyof` instead of the names. */
type FieldNames<Fields> = `.${keyof Fields & string}`;

type NothingElse<Given, Allowed> = {
  readonly [Key in Exclude<keyof Given, keyof Allowed>]: NoSuchField<Key, FieldNames<Allowed>>;
};

/** Checks a definition against its own columns: an unknown column does not compile. */
export type CheckedReportType<Given extends ReportTypeInput> = ReportTypeInput<
  KeyOf<Given>,
  ColumnOf<Given>,
  RowOf<Given>
> &
  NothingElse<Given, ReportTypeInput>;
