import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";

/** A row of an object source, by column key. Dates are instants; lists are arrays of strings; numbers past 2^53 are bigint or decimal strings. */
export type ObjectRow = Readonly<Record<string, string | number | bigint | boolean | Date | readonly string[] | null>>;

/** The request for the rows of an object source. */
export interface ObjectRowsRequest {
  readonly searchParam: SearchParam;
  /** Rows without a value come last in both directions. */
  readonly sort: readonly SortKey[];
  /** IANA time zone of the report. */
  readonly timezone: string;
  /** Aborted when the report was cancelled, took too long or must stop for another reason. */
  readonly signal: AbortSignal;
}

/** SQL types of view columns. `date` and `timestamptz` do not replace each other. */
export const viewColumnTypes = [
  "text",
  "text[]",
  "integer",
  "bigint",
  "numeric",
  "boolean",
  "timestamptz",
  "date",
  "uuid",
] as const;
/** SQL type of a column of a view. */
export type ViewColumnType = (typeof viewColumnTypes)[number];

/** A logical column, whose key in `ViewRows` filters, conditions and report columns use. */
export interface ViewColumn {
  /** Its name in the view. */
  readonly column: string;
  readonly type: ViewColumnType;
  /** The view's column that replaces it in sorts, such as a number that puts the worst first. */
  readonly rankedBy?: string;
  /** Default true. False promises that there are no nulls, which makes sorts cheaper. */
  readonly nullable?: boolean;
}

/** Rows of a table, view, materialised view or foreign table. */
export interface ViewRows<Column extends string = string> {
  readonly kind: "view";
  /** A source of the deployment (`REPORT_SOURCES`). Default `main`. */
  readonly source?: string;
  /** `view` or `schema.view`; each part matches `^[a-z_][a-z0-9_$]{0,62}$`. */
  readonly view: string;
  /** A view column with unique values and without nulls, which breaks ties of sorts. */
  readonly id: string;
  /** Logical columns: the report's, and others for filters and conditions. */
  readonly columns: { readonly [Key in Column]: ViewColumn };
  /** Selects the active rows; default all. `column` is a name in the view. */
  readonly living?: { readonly column: string; readonly isNull: boolean };
}

/** Rows of a relation in packages/db. */
export interface RelationRows {
  readonly kind: "relation";
  readonly relation: string;
}

/** Rows from any other source. Its functions run only in renderer processes. */
export interface ObjectRows<Row = ObjectRow> {
  readonly kind: "objects";
  /**
   * Returns the rows, honouring filters, sort and signal. A PermanentReportError ends the report, a StoreUnavailableError is retried
   * later, and any other error spends a failure.
   */
  rows(request: ObjectRowsRequest): AsyncIterable<Row>;
  /**
   * Returns the number of rows that `rows` yields for the request and that pass `where`: for progress, and to refuse too many rows at
   * the start. Without it both are known only as rows pass. A wrong count causes no error.
   */
  count?(request: ObjectRowsRequest): Promise<number>;
}

/**
 * Where rows come from.
 * - `relation`: a relation of packages/db; filters and sorts are applied by the database.
 * - `view`: the same for a table or view of any app.
 * - `objects`: anything else.
 */
export type ReportRows = RelationRows | ViewRows | ObjectRows;
