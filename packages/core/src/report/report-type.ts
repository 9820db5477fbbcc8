import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { SortKey } from "../query/sort-key.ts";
import type { SummaryDefinition } from "./summary.ts";
import type { Filter, SearchParam } from "../query/filters.ts";

/** A row of an object source: one value a column key. Dates are instants; lists are arrays of strings; numbers past 2^53 are bigint or decimal strings. */
export type ObjectRow = Readonly<Record<string, string | number | bigint | boolean | Date | readonly string[] | null>>;

/**
 * Where rows come from.
 * - `relation`: a relation that packages/db knows by this name; filters and sorts are applied by the database.
 * - `objects`: anything else. The iterable honours filters, sort (rows without a value come last in both directions) and signal itself.
 */
export type ReportRows =
  | { readonly kind: "relation"; readonly relation: string }
  | {
      readonly kind: "objects";
      rows(request: {
        readonly searchParam: SearchParam;
        readonly sort: readonly SortKey[];
        readonly timezone: string;
        readonly signal: AbortSignal;
      }): AsyncIterable<ObjectRow>;
    };

/** What one format of a report type can carry. */
export interface FormatLimit {
  readonly maxRows: number;
}

/**
 * A report type, whole: adding one is registering one of these with an authority. The catalogue, the validation of parameters,
 * OpenAPI and the renderers all read it; none of them knows a type by name.
 */
export interface ReportTypeDefinition {
  /** UPPER_SNAKE. */
  readonly type: string;
  /** Grows when columns or meaning change; stored with every report. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  readonly columns: readonly ReportColumn[];
  readonly defaultSort: readonly SortKey[];
  /** Keys of the columns by which rows may be grouped. */
  readonly groupable: readonly string[];
  readonly formats: Readonly<Partial<Record<ReportFormat, FormatLimit>>>;
  readonly summary: SummaryDefinition;
  readonly rows: ReportRows;
}
