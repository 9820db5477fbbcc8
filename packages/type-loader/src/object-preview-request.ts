import type { PreviewCellTexts, PreviewRequestWithRequester } from "@reports/core/report";
import type { ReportTypeChoice } from "./load-report-types.ts";

/** The request for a preview of object rows. It is plain data, because another process reads the rows. */
export interface ObjectPreviewRequest extends Omit<PreviewRequestWithRequester, "definition" | "columns"> {
  readonly choice: ReportTypeChoice;
  readonly reportType: string;
  readonly columns: readonly string[];
}

/**
 * File descriptor of the channel between the API and the process of a preview. The process reads one line, its ObjectPreviewRequest, and writes one
 * line, its PreviewReply.
 */
export const previewChannelFd = 3;
/** Default of `stopGraceMs` in ObjectPreviewOptions. */
export const previewStopGraceMs = 1_000;

/**
 * Reason of a failed preview. `permanent`: the function threw a PermanentReportError. `unavailable`: a StoreUnavailableError. `broken`: any
 * other error, also of the import.
 */
export type PreviewFailureReason = "permanent" | "unavailable" | "broken";

export type PreviewReply =
  | { readonly kind: "rows"; readonly rows: PreviewCellTexts }
  | { readonly kind: "failed"; readonly failure: PreviewFailureReason; readonly message: string };
