import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { ReportColumn } from "./column.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { RowStream } from "./row-stream.ts";

/** The rows that a report needs. */
export interface RowRequest {
  readonly definition: ReportTypeDefinition;
  readonly columns: readonly ReportColumn[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  /** The report's IANA zone, for days in filters and object sources. Times of rows are in UTC. */
  readonly timezone: string;
  readonly statementTimeoutMs: number;
  /** The attempt's number; from the third on, a replica's primary is read. Default 1. */
  readonly attempt?: number;
  /** Whether figures, charts and attention list are computed. Default true. */
  readonly withSummary?: boolean;
  /** Called with a counted number of rows before anything expensive. An error that it throws ends the request. */
  readonly onCounted?: (rowsTotal: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens a report's rows, from one snapshot if the source has any. Rejects with StoreUnavailableError, PermanentReportError, and
 * ReportNotServedError (TYPE_UNUSABLE) if the source does not fit.
 */
export interface RowSourceReader {
  open(request: RowRequest): Promise<RowStream>;
}
