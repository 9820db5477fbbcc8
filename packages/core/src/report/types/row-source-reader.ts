import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { ReportColumn } from "./column.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { RowStream } from "./row-stream.ts";

/** Describes the rows that a report needs. */
export interface RowRequest {
  readonly definition: ReportTypeDefinition;
  readonly columns: readonly ReportColumn[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  /** IANA time zone of the report: for days of filters, and for sources of objects. Times of the rows are in UTC. */
  readonly timezone: string;
  readonly statementTimeoutMs: number;
  /** Which attempt of the report it is; from the third on, a source that reads a replica asks its primary instead. Default 1. */
  readonly attempt?: number;
  /** Whether figures, charts and attention are computed; formats without them save the time. Default true. */
  readonly withSummary?: boolean;
  /** Called with the number of rows where it is counted, before anything expensive is computed. An error that it throws ends the request. */
  readonly onCounted?: (rowsTotal: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens the rows of a report, all from one snapshot where the source has any. Rejects with StoreUnavailableError, with PermanentReportError, and
 * with ReportNotServedError (TYPE_UNUSABLE) where the source does not fit the definition.
 */
export interface RowSourceReader {
  open(request: RowRequest): Promise<RowStream>;
}
