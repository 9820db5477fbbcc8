import type { ReportWarningCode } from "../../base/vocabulary.ts";

export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** One or two English sentences, numbers in plain digits. */
  readonly message: string;
}
