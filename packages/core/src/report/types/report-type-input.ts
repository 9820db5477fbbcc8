import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { FormatLimit } from "./type-definition.ts";
import type { ObjectRow, ObjectRows, RelationRows, ViewRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Condition, SummaryDefinition } from "./summary.ts";
import type { Filter } from "../../query/filters.ts";

/** A column as authors write it; the default width follows from the kind. */
export type ColumnInput<Key extends string = string> = Omit<ReportColumn<Key>, "width"> &
  Partial<Pick<ReportColumn, "width">>;

/** A sort key as authors write it; default ascending. */
export type SortInput<Key extends string = string> = Pick<SortKey<Key>, "key"> & Partial<Pick<SortKey, "descending">>;

/** Figures, charts and attention list, as authors write them. */
export interface SummaryInput<Key extends string = string, Column extends string = Key> {
  /** Default: the number of rows. */
  readonly figures?: SummaryDefinition<Key, Column>["figures"];
  /** Default: none. */
  readonly charts?: SummaryDefinition<Key, Column>["charts"];
  readonly attention?: SummaryDefinition<Key, Column>["attention"] & {};
}

/**
 * A report type as its author writes it. `Key` are its columns' keys. `Column` is what filters and conditions may name: a view's logical
 * columns, which include the report's, or an object type's columns.
 */
export interface ReportTypeInput<Key extends string = string, Column extends string = string, Row = ObjectRow> {
  /** UPPER_SNAKE, at most 63 characters. */
  readonly type: string;
  /** An integer from 1, which grows when columns or meaning change; stored with every report. */
  readonly version: number;
  readonly title: string;
  /** One or two sentences. Default: lists the columns. */
  readonly description?: string;
  readonly columns: readonly ColumnInput<Key>[];
  readonly rows: RelationRows | ViewRows<Column> | ObjectRows<Row>;
  /** Default: none. */
  readonly filters?: readonly Filter<Column>[];
  /** Conditions that every row must meet, besides the caller's filters. Default: none. */
  readonly where?: readonly Condition<Column>[];
  /** A pdf's default columns; eight to ten fit on a line. Default: all. */
  readonly pdfColumns?: readonly Key[];
  /** Default: the first sortable column. */
  readonly defaultSort?: readonly SortInput<Key>[];
  /** Columns by which rows may be grouped. Default: none. */
  readonly groupable?: readonly Key[];
  /** Default: every format, with its default limit. */
  readonly formats?: Readonly<Partial<Record<ReportFormat, Partial<FormatLimit>>>>;
  readonly summary?: SummaryInput<Key, Column>;
}

interface ValueOfKind {
  readonly text: string;
  readonly integer: number | bigint | string;
  readonly bigint: number | bigint | string;
  readonly decimal: number | bigint | string;
  readonly ratio: number | bigint | string;
  readonly bytes: number | bigint | string;
  readonly boolean: boolean;
  readonly timestamp: Date;
  readonly date: Date | string;
  readonly list: readonly string[];
}

type KeyOf<Given extends ReportTypeInput> = Given["columns"][number]["key"];

/** Columns for filters and conditions. Only packages/db knows a relation's columns. */
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

/** Refuses unknown fields. */
type NothingElse<Given, Allowed> = { readonly [Key in Exclude<keyof Given, keyof Allowed>]: never };

/** Checks a definition against its own columns: an unknown column does not compile. */
export type CheckedReportType<Given extends ReportTypeInput> = ReportTypeInput<
  KeyOf<Given>,
  ColumnOf<Given>,
  RowOf<Given>
> &
  NothingElse<Given, ReportTypeInput>;
