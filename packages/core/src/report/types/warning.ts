import type { ReportWarningCode } from "../../base/vocabulary.ts";

/** A warning about a report that succeeded, for its requester. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** One or two English sentences, numbers in plain digits. */
  readonly message: string;
}
