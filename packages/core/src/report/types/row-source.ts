import type { Filter, SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Language } from "./language.ts";

/** A row of an object source: values by column key. A Date is an instant, a list is an array of strings, and a number beyond 2^53 is a bigint or a string of decimal digits. A duration is a number of seconds, and a time of day is a string such as `08:30`. */
export type ObjectRow = Readonly<Record<string, string | number | bigint | boolean | Date | readonly string[] | null>>;

/** The principal for which rows are made: the report's starter, the schedule's owner or the preview's caller. Has no credentials or authorities. */
export interface RowsRequester {
  /** `basic:alice` for a local user, or `issuer|subject` for a token. Unique, and the same in all reports of the principal. */
  readonly id: string;
  /**
   * Name of the requester for display; null if the credentials contain none. Several requesters can have the same name, and the service does not
   * check the name.
   */
  readonly name: string | null;
}

/** A request for the rows of an object source. */
export interface ObjectRowsRequest {
  /** The caller's filters, validated and normalised. */
  readonly searchParam: SearchParam;
  /** Keys of the columns to show, sort, group, summarise or test by `where`, without columns that only filters use. Rows may omit all others. */
  readonly columns: readonly string[];
  /** Number of rows after which the reader stops, as in a preview; null if it reads all rows. Always null for a type with `where`. */
  readonly limit: number | null;
  /** Order of the rows, by the first key, then the second. Rows without a value come last, in both directions. */
  readonly sort: readonly SortKey[];
  /** IANA time zone of the report. */
  readonly timezone: string;
  /** Language tag (BCP 47) by which documents write dates and numbers. Values of rows must not depend on it, unless they are texts for people. */
  readonly locale: string;
  readonly language: Language;
  /** The principal that receives the rows. All callers who may read the report see its rows. */
  readonly requester: RowsRequester;
  /** Aborts if the report is cancelled, takes too long, has `limit` rows or must stop for another reason. The rows must then end. */
  readonly signal: AbortSignal;
}

/** SQL types of view columns. `date` and `timestamptz` are not interchangeable. An `interval` is read as its seconds: a day has 24 hours, and months or years are an error. */
export const viewColumnTypes = [
  "text",
  "text[]",
  "integer",
  "bigint",
  "numeric",
  "boolean",
  "timestamptz",
  "date",
  "time",
  "interval",
  "uuid",
] as const;
/** SQL type of a column of a view. */
export type ViewColumnType = (typeof viewColumnTypes)[number];

/** A logical column of a view. Report columns, filters and conditions refer to it by its key in `columns` of ViewRows. */
export interface ViewColumn {
  readonly column: string;
  readonly type: ViewColumnType;
  /** Name of another column of the view, by which rows are sorted instead, such as a rank that puts the worst value first. */
  readonly rankedBy?: string;
  /** Whether the column can contain nulls. Default: true. If it contains none, set false, which makes sorts cheaper. */
  readonly nullable?: boolean;
}

/**
 * A parameter of a set-returning function. Callers give its value in `searchParam`, like that of a filter. Without a default, each start needs a
 * value. The value is bound to the call with a cast to the SQL type.
 */
export interface ViewParameter extends Pick<
  Filter,
  | "name"
  | "formerly"
  | "value"
  | "values"
  | "min"
  | "max"
  | "minLength"
  | "maxLength"
  | "plainText"
  | "form"
  | "default"
  | "description"
> {
  /** SQL type of the function's argument. Default: the type for `value`, such as `integer` for an integer. A timestamp with the type `date` is passed as its day in the report's time zone. */
  readonly type?: ViewColumnType;
}

/** Rows of a table, view, materialised view or foreign table, or of a set-returning function. */
export interface ViewRows<Column extends string = string> {
  readonly kind: "view";
  /** Name of the source that contains the view, one of `REPORT_SOURCES`. Default: `main`. */
  readonly source?: string;
  /** Name of the view or function: `view` or `schema.view`. Each part matches `^[a-z_][a-z0-9_$]{0,62}$`. */
  readonly view: string;
  /** Parameters of the function that `view` names, in the order of its arguments; may be empty. Default: `view` is a table or view. */
  readonly parameters?: readonly ViewParameter[];
  /** Name of a column of the view with unique values and without nulls. It orders rows that are equal in a sort. */
  readonly id: string;
  /** Logical columns by key: those that the report shows, and others for filters and conditions. */
  readonly columns: { readonly [Key in Column]: ViewColumn };
  /**
   * Condition that excludes deleted rows. With `isNull`, the rows are shown in which `column` of the view is null, and else the others. Default:
   * all rows.
   */
  readonly living?: { readonly column: string; readonly isNull: boolean };
}

/** Rows of a built-in relation of the service, which packages/db defines. */
export interface RelationRows {
  readonly kind: "relation";
  readonly relation: string;
}

/** Rows that functions of the author return. They run in renderer processes of the worker, and for previews in processes of the API. */
export interface ObjectRows<Row = ObjectRow> {
  readonly kind: "objects";
  /**
   * Returns the rows that match the filters, in the requested order, until the signal aborts. A PermanentReportError ends the report. After a
   * StoreUnavailableError, the report is retried later. Any other error counts as a failure of the report.
   */
  rows(request: ObjectRowsRequest): AsyncIterable<Row>;
  /**
   * Returns the number of rows that `rows` yields for the request and that meet `where`. The count shows the progress, and lets a report with too
   * many rows fail before it is read. Without `count`, such a report fails only while its rows are read. A wrong count causes no error.
   */
  count?(request: ObjectRowsRequest): Promise<number>;
}

/**
 * Source of a report's rows.
 * `relation`: a built-in relation of the service. The database filters and sorts the rows.
 * `view`: a table, view or set-returning function of any app. The database filters and sorts the rows.
 * `objects`: any other source. Its author filters and sorts the rows.
 */
export type ReportRows = RelationRows | ViewRows | ObjectRows;
