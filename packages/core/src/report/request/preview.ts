import { DomainError, PermanentReportError, ReportNotServedError } from "../../base/errors.ts";
import { foreignMessage } from "../../base/foreign-text.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { ReportColumn } from "../types/column.ts";
import type { ReportFormat } from "../types/format.ts";
import { createJsonRow, type JsonRow } from "../types/json-row.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

export interface PreviewRequest {
  readonly definition: ReportTypeDefinition;
  readonly columns: readonly ReportColumn[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  readonly timezone: string;
  readonly limit: number;
}

export interface RowForecast {
  /** Null if they are too many to count and nothing else is known. */
  readonly rows: number | null;
  /** EXACT: counted. PLANNED: the planner's estimate. PREVIOUS: the latest report with the same filters. */
  readonly rowsAre: "PLANNED" | "EXACT" | "PREVIOUS" | null;
  /** Rows above which the source refuses every report; null if only formats limit them. */
  readonly sourceMaxRows: number | null;
}

export interface FormatPace {
  readonly format: ReportFormat;
  readonly bytesPerRow: number;
  readonly rowsPerSecond: number;
}

/** Reports of a type and of about so many rows, by file extension of the format. */
export interface PaceRequest {
  readonly reportType: string;
  readonly rows: number;
  readonly extensions: Readonly<Partial<Record<ReportFormat, string>>>;
}

/**
 * Reads sources without a report, over separate connections. Rejects with DomainError("unavailable", "preview-too-slow"), the signal's
 * reason and StoreUnavailableError; each ends the read in the database too.
 */
export interface ReportPreviews {
  covers(definition: Pick<ReportTypeDefinition, "rows">): boolean;
  /** The first rows as wire texts in column order. Times are in UTC. */
  readRows(request: PreviewRequest, signal: AbortSignal): Promise<readonly (readonly (string | null)[])[]>;
  /** Null if unknown: no source covers the type, or it does not respond. Rejects only with the signal's reason. */
  forecast(
    request: Pick<PreviewRequest, "definition" | "searchParam" | "timezone">,
    signal: AbortSignal,
  ): Promise<RowForecast | null>;
  /** Omits formats with too few reports; empty while records cannot be read. Rejects only with the signal's reason. */
  readPaces(request: PaceRequest, signal: AbortSignal): Promise<readonly FormatPace[]>;
}

/**
 * Returns the first rows as in the report's json file. The caller has checked the authority. Rejects with DomainError("invalid",
 * "preview-not-available") if the source does not allow it or fit now, and as `readRows`.
 */
export async function readPreview(
  deps: { readonly previews: ReportPreviews },
  request: PreviewRequest,
  signal: AbortSignal,
): Promise<readonly JsonRow[]> {
  const { type } = request.definition;
  if (!deps.previews.covers(request.definition))
    throw notAvailable(`Rows of ${type} cannot be read without a report. Start one.`);
  try {
    const rows = await deps.previews.readRows(request, signal);
    return rows.map(createJsonRow(request.columns, request.timezone));
  } catch (error) {
    if (error instanceof PermanentReportError)
      throw notAvailable(`Rows of ${type} cannot be shown. ${foreignMessage(error)}`);
    // Its message is for logs: it names database objects.
    if (error instanceof ReportNotServedError)
      throw notAvailable(`The data source of ${type} does not fit it now. Tell the owner of the report type.`);
    throw error;
  }
}

function notAvailable(message: string): DomainError {
  return new DomainError("invalid", "preview-not-available", message);
}
