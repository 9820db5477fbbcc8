import { DomainError, PermanentReportError, ReportNotServedError } from "../../base/errors.ts";
import { foreignMessage } from "../../base/foreign-text.ts";
import type { SearchParam } from "../../query/filters.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { ReportColumn } from "../types/column.ts";
import type { ReportFormat } from "../types/format.ts";
import { createJsonRow, type JsonRow } from "../types/json-row.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

/** Which rows are to be read without a report. */
export interface PreviewRequest {
  readonly definition: ReportTypeDefinition;
  readonly columns: readonly ReportColumn[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  readonly timezone: string;
  readonly limit: number;
}

/** How many rows a report would have. */
export interface RowForecast {
  /** Null where they are too many to be counted and nothing else is known. */
  readonly rows: number | null;
  /** EXACT: they were counted. PLANNED: the database's planner expects them. PREVIOUS: the latest report with the same filters had them. */
  readonly rowsAre: "PLANNED" | "EXACT" | "PREVIOUS" | null;
  /** Rows above which the source gives no report at all; null where the format alone decides. */
  readonly sourceMaxRows: number | null;
}

/** What the latest reports of a type of about one size tell of a format. */
export interface FormatPace {
  readonly format: ReportFormat;
  readonly bytesPerRow: number;
  readonly rowsPerSecond: number;
}

/** Of which reports the pace is wanted: those of a type, of about so many rows, by the extension of each format's file. */
export interface PaceRequest {
  readonly reportType: string;
  readonly rows: number;
  readonly extensions: Readonly<Partial<Record<ReportFormat, string>>>;
}

/**
 * Reads of the sources of reports, without a report, on connections of their own. A read rejects with DomainError("unavailable",
 * "preview-too-slow") when its time is over, with the signal's reason when that aborts, and with StoreUnavailableError; each of these ends
 * it in the database, too.
 */
export interface ReportPreviews {
  /** Whether the type's rows come from a source that can be asked here. */
  covers(definition: Pick<ReportTypeDefinition, "rows">): boolean;
  /** The first rows, their values in the texts of the wire form, in the order of the columns. Times are in UTC. */
  readRows(request: PreviewRequest, signal: AbortSignal): Promise<readonly (readonly (string | null)[])[]>;
  /** Null where it cannot be told: no source covers the type, or it does not answer. Rejects with the signal's reason alone. */
  forecast(
    request: Pick<PreviewRequest, "definition" | "searchParam" | "timezone">,
    signal: AbortSignal,
  ): Promise<RowForecast | null>;
  /** None of a format with too few reports to tell by, and none at all while the records cannot be read. Rejects with the signal's reason alone. */
  readPaces(request: PaceRequest, signal: AbortSignal): Promise<readonly FormatPace[]>;
}

/**
 * The first rows of a report as its json file would have them. Authority over the type has been checked by the caller. Rejects with
 * DomainError("invalid", "preview-not-available") where the type has none or its source does not fit it now, and as `readRows` does.
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
    // Its own message is for logs: it names what the database holds.
    if (error instanceof ReportNotServedError)
      throw notAvailable(`The data source of ${type} does not fit it now. Tell the owner of the report type.`);
    throw error;
  }
}

function notAvailable(message: string): DomainError {
  return new DomainError("invalid", "preview-not-available", message);
}
