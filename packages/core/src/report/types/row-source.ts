import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";

/** A row of an object source: one value a column key. Dates are instants; lists are arrays of strings; numbers past 2^53 are bigint or decimal strings. */
export type ObjectRow = Readonly<Record<string, string | number | bigint | boolean | Date | readonly string[] | null>>;

/** What the rows of an object source are asked for. */
export interface ObjectRowsRequest {
  readonly searchParam: SearchParam;
  /** Rows without a value come last in both directions. */
  readonly sort: readonly SortKey[];
  /** IANA time zone of the report. */
  readonly timezone: string;
  /** Aborted when the report was cancelled, took too long or has to stop for another reason. */
  readonly signal: AbortSignal;
}

/** SQL types that a column of a view may have. `date` and `timestamptz` are never the other's. */
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

/** One logical column of a view: by its key in `ViewRows`, filters, conditions and report columns name it. */
export interface ViewColumn {
  /** Its name in the view. */
  readonly column: string;
  readonly type: ViewColumnType;
  /** Name of a column of the view by which rows are sorted in its stead, such as a number that puts the worst first. */
  readonly rankedBy?: string;
  /** Default true. False promises that there are no nulls, and spares the sort the care of them. */
  readonly nullable?: boolean;
}

/** Rows of a table, view, materialised view or foreign table of a database. What is derived is the view's business. */
export interface ViewRows<Column extends string = string> {
  readonly kind: "view";
  /** A source that the deployment names (`REPORT_SOURCES`). Default `main`. */
  readonly source?: string;
  /** `view` or `schema.view`; each part matches `^[a-z_][a-z0-9_$]{0,62}$`. */
  readonly view: string;
  /** Name of a column of the view whose values are unique and never null: it breaks the ties of every sort. */
  readonly id: string;
  /** Logical columns: those of the report, and more where filters and conditions look at more. */
  readonly columns: { readonly [Key in Column]: ViewColumn };
  /** Which rows there are as far as reports are concerned; all by default. `column` is a name in the view. */
  readonly living?: { readonly column: string; readonly isNull: boolean };
}

/** Rows of a relation that packages/db knows by this name. */
export interface RelationRows {
  readonly kind: "relation";
  readonly relation: string;
}

/** Rows from anywhere else. Its functions run in renderer processes only. */
export interface ObjectRows<Row = ObjectRow> {
  readonly kind: "objects";
  /**
   * Gives the rows, and honours filters, sort and signal itself. A PermanentReportError ends the report, a StoreUnavailableError has it
   * tried again later, anything else spends one of its failures.
   */
  rows(request: ObjectRowsRequest): AsyncIterable<Row>;
  /**
   * How many rows there will be: those that `rows` gives for the same request and that pass `where`. For progress, and so that a report
   * of too many rows ends before it begins. Without it both are known only as the rows pass. A count that turns out wrong is no error.
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
