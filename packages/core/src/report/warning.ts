/** Everything that a report may warn of, and what it means: for documentation. */
export const reportWarnings = {
  DATA_BEHIND: "The rows are older than the report: the replica that they were read from was behind its primary.",
  TEXTS_SHORTENED:
    "Texts were shortened, because the format holds or shows only so much; other formats hold them whole.",
  NOT_TAGGED:
    "The pdf does not describe its structure, so that it can hardly be read aloud: it has many rows, and accessible was not asked for.",
  ROWS_NOT_GROUPED:
    "The rows are sorted by the column of groupBy first and not shown in groups: the format has none, or the column was left out.",
  SNAPSHOT_NOT_GLOBAL:
    "The rows come from several servers, each read at a moment of its own: what was written meanwhile may be in the report in part.",
  NO_SNAPSHOT:
    "The rows come from a database without snapshots: figures and rows were read one after another, and may differ by what was written meanwhile.",
  OTHER: "Something else; said by a version of the service that gave no codes.",
} as const satisfies Readonly<Record<string, string>>;
/** What a reader of a report's file should know. */
export type ReportWarningCode = keyof typeof reportWarnings;

/** All of them. */
export const reportWarningCodes = Object.keys(reportWarnings) as [ReportWarningCode, ...ReportWarningCode[]];

/** Something that the requester should know about a report that succeeded. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** One or two English sentences, numbers in plain digits. */
  readonly message: string;
}

/** Whether a text is a code that this version knows. */
export function isReportWarningCode(text: string): text is ReportWarningCode {
  return Object.hasOwn(reportWarnings, text);
}
