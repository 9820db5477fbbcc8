import type { ReportWarningCode } from "../../base/vocabulary.ts";

/** A warning about a report that succeeded, for its requester. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  readonly message: string;
}
