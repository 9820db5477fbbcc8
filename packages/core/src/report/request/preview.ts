import {
  DomainError,
  PermanentReportError,
  ReportNotServedError,
  SourceUnavailableError,
  StoreUnavailableError,
} from "../../base/errors.ts";
import { readThrownMessage } from "../../base/foreign-text.ts";
import type { ReadFilterValues } from "./filter-value-lookup.ts";
import type { ReportFormat } from "../types/format.ts";
import { createJsonRowConverter, type JsonRow } from "../types/json-row.ts";
import type { RowsRequester } from "../types/row-source.ts";
import type { RowRequest } from "../types/row-source-reader.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

export interface PreviewRequest extends Pick<
  RowRequest,
  "definition" | "columns" | "searchParam" | "sort" | "timezone"
> {
  readonly limit: number;
}

export interface PreviewRequestWithRequester extends PreviewRequest {
  readonly requester: RowsRequester;
}

export type PreviewCellTexts = readonly (readonly (string | null)[])[];

export interface RowCountEstimate {
  /** Number of rows; null if there are too many to count and no estimate exists. */
  readonly rows: number | null;
  /** Origin of `rows`. EXACT: counted. PLANNED: estimated by the query planner. PREVIOUS: taken from the latest report with the same filters. */
  readonly rowsAre: "PLANNED" | "EXACT" | "PREVIOUS" | null;
  /** Number of rows above which the source refuses every report; null if only formats have limits. */
  readonly sourceMaxRows: number | null;
}

export interface FormatThroughput {
  readonly format: ReportFormat;
  readonly bytesPerRow: number;
  readonly rowsPerSecond: number;
}

export interface FormatThroughputRequest {
  readonly reportType: string;
  readonly rows: number;
  readonly extensions: Readonly<Partial<Record<ReportFormat, string>>>;
}

export interface PreviewReader<Request extends PreviewRequest = PreviewRequest> {
  covers(definition: Pick<ReportTypeDefinition, "rows">): boolean;
  /** Returns the first rows as wire texts, in the order of the columns. Times are in UTC. */
  readonly readRows: (request: Request, signal: AbortSignal) => Promise<PreviewCellTexts>;
  readonly readFilterValues: ReadFilterValues;
  forecast(
    request: Pick<PreviewRequest, "definition" | "searchParam" | "timezone">,
    signal: AbortSignal,
  ): Promise<RowCountEstimate | null>;
  /** Returns the throughput of each format in earlier reports. Omits formats with too few reports. Empty if the records cannot be read. */
  readPaces(request: FormatThroughputRequest, signal: AbortSignal): Promise<readonly FormatThroughput[]>;
}

export type ReportPreviewReader = PreviewReader<PreviewRequestWithRequester>;

/**
 * Returns the first rows as the json file of the report would show them. The authority must have been checked before. Rejects as `readRows` does,
 * but with SourceUnavailableError if the source is unavailable. Rejects with DomainError("invalid", "preview-not-available") if the source allows
 * no preview or does not fit the definition.
 */
export async function readPreview<Request extends PreviewRequest>(
  deps: { readonly previews: PreviewReader<Request> },
  request: Request,
  signal: AbortSignal,
): Promise<readonly JsonRow[]> {
  const { type } = request.definition;
  if (!deps.previews.covers(request.definition))
    throw previewNotAvailableError(`Rows of ${type} cannot be read without a report. Start one.`);
  try {
    const rows = await deps.previews.readRows(request, signal);
    return rows.map(createJsonRowConverter(request.columns, request.timezone));
  } catch (error) {
    if (error instanceof PermanentReportError)
      throw previewNotAvailableError(`Rows of ${type} cannot be shown. ${readThrownMessage(error)}`);
    // The error's message is only for logs, because it names database objects.
    if (error instanceof ReportNotServedError)
      throw previewNotAvailableError(
        `The data source of ${type} does not fit it now. Tell the owner of the report type.`,
      );
    if (error instanceof StoreUnavailableError) throw new SourceUnavailableError(type, error);
    throw error;
  }
}

function previewNotAvailableError(message: string): DomainError {
  return new DomainError("invalid", "preview-not-available", message);
}
