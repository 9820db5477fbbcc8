import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { ReportColumn } from "./column.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { RowStream } from "./row-stream.ts";

/** A request for the rows of a report. */
export interface RowRequest {
  readonly definition: ReportTypeDefinition;
  readonly columns: readonly ReportColumn[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  /** The report's IANA zone, for days in filters and object sources. Times of rows are in UTC. */
  readonly timezone: string;
  readonly statementTimeoutMs: number;
  /** Number of the attempt. From the third attempt on, the primary is read instead of a replica. Default: 1. */
  readonly attempt?: number;
  /** Number of rows, in the order of `sort`, after which the report, its count and its summary end. Only for rows of a view. Default: all rows. */
  readonly firstRows?: number;
  readonly withSummary?: boolean;
  /** Called with the number of rows once they are counted, before anything expensive. If it throws, the request ends with that error. */
  readonly onCounted?: (rowsTotal: number) => void;
  readonly signal: AbortSignal;
}

/** Opens the rows of a report, from one snapshot if the source has snapshots. Rejects with StoreUnavailableError, PermanentReportError, and ReportNotServedError (TYPE_UNUSABLE) if the source does not fit. */
export interface RowSourceReader {
  open(request: RowRequest): Promise<RowStream>;
}
