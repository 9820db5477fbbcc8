import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { FormatLimit } from "./type-definition.ts";
import type { ObjectRow, ObjectRows, RelationRows, ViewRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Condition, SummaryDefinition } from "./summary.ts";
import type { Filter } from "../../query/filters.ts";

/** A column as authors write it: the width follows from the kind where none is given. */
export type ColumnInput<Key extends string = string> = Omit<ReportColumn<Key>, "width"> &
  Partial<Pick<ReportColumn, "width">>;

/** A sort key as authors write it: ascending where nothing is said. */
export type SortInput<Key extends string = string> = Pick<SortKey<Key>, "key"> & Partial<Pick<SortKey, "descending">>;

/** What a report type shows beside its rows, as authors write it. */
export interface SummaryInput<Key extends string = string, Column extends string = Key> {
  /** Default: the number of rows. */
  readonly figures?: SummaryDefinition<Key, Column>["figures"];
  /** Default: none. */
  readonly charts?: SummaryDefinition<Key, Column>["charts"];
  readonly attention?: SummaryDefinition<Key, Column>["attention"] & {};
}

/**
 * A report type as its author writes it. `Key` are the keys of its columns, `Column` what filters and conditions may name: for a view its
 * logical columns, of which the report's are a part; for objects the report's own.
 */
export interface ReportTypeInput<Key extends string = string, Column extends string = string, Row = ObjectRow> {
  /** UPPER_SNAKE, at most 63 characters. */
  readonly type: string;
  /** An integer from 1, which grows when columns or meaning change; stored with every report. */
  readonly version: number;
  readonly title: string;
  /** One or two sentences. Default: which columns there are. */
  readonly description?: string;
  readonly columns: readonly ColumnInput<Key>[];
  readonly rows: RelationRows | ViewRows<Column> | ObjectRows<Row>;
  /** Default: none. */
  readonly filters?: readonly Filter<Column>[];
  /** Conditions that every row meets, whatever the caller filters by. Default: none. */
  readonly where?: readonly Condition<Column>[];
  /** Keys of the columns that a pdf shows where its requester names none; eight to ten stand on one line. Default: all. */
  readonly pdfColumns?: readonly Key[];
  /** Default: the first column that can be sorted by. */
  readonly defaultSort?: readonly SortInput<Key>[];
  /** Keys of the columns by which rows may be grouped. Default: none. */
  readonly groupable?: readonly Key[];
  /** Default: every format. A format without a limit of its own carries as many rows as it usefully can. */
  readonly formats?: Readonly<Partial<Record<ReportFormat, Partial<FormatLimit>>>>;
  readonly summary?: SummaryInput<Key, Column>;
}

/** What a column of an object row may hold, kind by kind. */
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

/** What filters and conditions may name. A relation's columns are known to packages/db alone. */
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

/** Refuses fields that the contract does not have. */
type NothingElse<Given, Allowed> = { readonly [Key in Exclude<keyof Given, keyof Allowed>]: never };

/** The definition that was given, held to its own columns: whatever names a column that it does not have does not compile. */
export type CheckedReportType<Given extends ReportTypeInput> = ReportTypeInput<
  KeyOf<Given>,
  ColumnOf<Given>,
  RowOf<Given>
> &
  NothingElse<Given, ReportTypeInput>;
