import type { ReportWarningCode } from "../../base/vocabulary.ts";

/** Something that the requester should know about a report that succeeded. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** One or two English sentences, numbers in plain digits. */
  readonly message: string;
}
