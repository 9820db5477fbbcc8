/** States of a report, in the order of its lifecycle. docs/reference/resources/reports.md#states. */
export const reportStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"] as const;
/** State of a report. docs/reference/resources/reports.md#states. */
export type ReportStatus = (typeof reportStatuses)[number];

/** Phases of a running report, in order. */
export const progressPhases = ["waiting", "querying", "rendering", "storing", "done"] as const;
export type ProgressPhase = (typeof progressPhases)[number];

/** Lanes of the queue: `quick` for short reports, `bulk` for long ones, `suspect` for quarantined ones. WORKER_LANES sets a worker's lanes. */
export const reportLanes = ["quick", "bulk", "suspect"] as const;
export type ReportLane = (typeof reportLanes)[number];

export const initialReportLanes = ["quick", "bulk"] as const satisfies readonly ReportLane[];

/**
 * Why a worker requeued a report instead of running it. `…_UNKNOWN`: the worker does not know the report's type, version, format, filter or column.
 * TYPE_UNUSABLE: the data source does not fit the definition. WORKER_IMPAIRED: a part of the worker's machine is broken. SPOOL_TOO_SMALL: the
 * report needs a larger spool than this worker has. SOURCE_UNREACHABLE: this worker cannot reach the data source.
 */
export const requeueCauses = [
  "TYPE_UNKNOWN",
  "VERSION_UNKNOWN",
  "FORMAT_UNKNOWN",
  "FILTER_UNKNOWN",
  "COLUMN_UNKNOWN",
  "TYPE_UNUSABLE",
  "WORKER_IMPAIRED",
  "SPOOL_TOO_SMALL",
  "SOURCE_UNREACHABLE",
] as const;
export type RequeueCause = (typeof requeueCauses)[number];

export const eventCauses = ["FILE_DAMAGED", ...requeueCauses] as const;
/** Why a report changed its state. Only requeues and the expiry of a damaged file have a cause. */
export type EventCause = (typeof eventCauses)[number];

/** Codes of FAILED reports. `retryable` says whether the same report could succeed later. */
export const reportErrorCodes = {
  REPORT_TOO_LARGE: { retryable: false },
  SPOOL_LIMIT_EXCEEDED: { retryable: false },
  RUN_TIME_LIMIT_EXCEEDED: { retryable: false },
  INVALID_DATA: { retryable: false },
  UNKNOWN_REPORT_TYPE: { retryable: true },
  AUTHORITY_REVOKED: { retryable: false },
  ROWS_LOST: { retryable: false },
  RENDERER_CRASHED: { retryable: true },
  OUT_OF_MEMORY: { retryable: false },
  DEPENDENCY_UNAVAILABLE: { retryable: true },
  INTERNAL: { retryable: true },
} as const;
/** Code of a FAILED report: why it failed. */
export type ReportErrorCode = keyof typeof reportErrorCodes;

export const reportWarnings = {
  DATA_BEHIND: "The rows are older than the report: the replica that they were read from was behind its primary.",
  TEXTS_SHORTENED:
    "Texts were shortened, because the format limits their length. Other formats contain the whole texts.",
  LINKS_OMITTED:
    "Values are text without a link, because a sheet of xlsx can have 65,530 links. Other formats contain every URL.",
  NOT_TAGGED: "The pdf is not tagged for screen readers, because it has many rows and accessible was not set to true.",
  ROWS_NOT_GROUPED:
    "The rows are sorted by the column of groupBy first, but are not shown in groups. The format has no groups, or the column was left out.",
  SUBTOTALS_OMITTED: "The subtotals were left out, because the report has more groups than the format can list.",
  SNAPSHOT_NOT_GLOBAL:
    "The rows come from several servers, each read at a different moment. If data changed in between, the report can contain a part of the change.",
  NO_SNAPSHOT:
    "The rows come from a database without snapshots. Figures and rows were read one after another, and can differ if data changed in between.",
  OTHER: "A warning of an older version of the service, which gave no codes.",
} as const satisfies Readonly<Record<string, string>>;
/** Code of a warning about a report's file, such as `DATA_BEHIND`. */
export type ReportWarningCode = keyof typeof reportWarnings;

/** Codes of all warnings that this version of the service knows. */
export const reportWarningCodes = Object.keys(reportWarnings) as [ReportWarningCode, ...ReportWarningCode[]];

export function isReportWarningCode(text: string): text is ReportWarningCode {
  return Object.hasOwn(reportWarnings, text);
}
