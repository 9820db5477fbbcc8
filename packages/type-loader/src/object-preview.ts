import type { SearchParam, SortKey } from "@reports/core/query";
import type { PreviewTexts, RequestedPreview } from "@reports/core/report";
import type { ReportTypeChoice } from "./load-report-types.ts";

/** A preview of object rows as plain data, because another process reads the rows. */
export interface ObjectPreview {
  readonly choice: ReportTypeChoice;
  readonly reportType: string;
  readonly columns: readonly string[];
  readonly searchParam: SearchParam;
  readonly sort: readonly SortKey[];
  readonly timezone: string;
  readonly limit: number;
  readonly requester: RequestedPreview["requester"];
}

/** File descriptor of the process's channel. The process reads one line from it, its ObjectPreview, and writes one line, its PreviewReply. */
export const previewChannel = 3;
/** Time for the rows to end after they were stopped. Their process ends after this time at the latest. */
export const stopGraceMs = 1_000;

/** Outcome of a failed preview. `permanent`: PermanentReportError. `unavailable`: StoreUnavailableError. `broken`: any other error, also of the import. */
export type PreviewFailure = "permanent" | "unavailable" | "broken";

export type PreviewReply =
  | { readonly kind: "rows"; readonly rows: PreviewTexts }
  | { readonly kind: "failed"; readonly failure: PreviewFailure; readonly message: string };
