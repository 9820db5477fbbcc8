// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type {
  Compression,
  Language,
  Orientation,
  Paper,
  ProgressPhase,
  ReportErrorCode,
  ReportEventCause,
  ReportEventTarget,
  ReportFormat,
  ReportStatus,
  ReportWarningCode,
} from "./enumerations.ts";

/** A report: file is set exactly when it has SUCCEEDED, error when it has FAILED. */
export interface Report {
  /** Id of the report. */
  readonly id: string;
  /** The type of the report. */
  readonly reportType: string;
  /** Title of the report, as the file shows it. */
  readonly title: string;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  /** Filters by name, in their normal form. Relative times are resolved. */
  readonly searchParam: NormalisedSearchParam;
  /** The same filters, with relative times as they were written in the start. */
  readonly searchParamGiven: NormalisedSearchParam;
  readonly options: ReportOptions;
  /** The principal that the report belongs to: the caller that started it, or the owner of its schedule. */
  readonly requestedBy: string;
  /** The schedule that the report belongs to; null if no schedule started it. */
  readonly scheduleId: string | null;
  /** When the report was requested. */
  readonly createdAt: string;
  /** When a worker first claimed the report; null before. */
  readonly startedAt: string | null;
  /** When the report ended; null before. */
  readonly finishedAt: string | null;
  /** When the record last changed. Progress counts as a change. */
  readonly updatedAt: string;
  /**
   * Number that increases with every change of the record. A response or event with a higher number is later than one
   * with a lower number.
   */
  readonly revision: number;
  /** When the file is removed; null before the report is SUCCEEDED. */
  readonly expiresAt: string | null;
  /** The time as of which the rows were read; null before. */
  readonly dataAsOf: string | null;
  /**
   * SHA-256 of the rows, if the report has a row snapshot. Two reports of one type and version have the same value if
   * their rows are the same, in the same order.
   */
  readonly dataSha256: string | null;
  readonly progress: ReportProgress;
  /** Number of the latest attempt: how often workers have claimed the report. */
  readonly attempt: number;
  /** Number of attempts that may have ended because of the report itself, such as by a crash of its renderer. */
  readonly failures: number;
  /** The number of failures after which the report is FAILED. */
  readonly maxFailures: number;
  /** Number of rows in the file; null while it is unknown. */
  readonly rowCount: number | null;
  /** The file; null unless the report is SUCCEEDED. */
  readonly file: ReportFile | null;
  /** Warnings for readers of the file. */
  readonly warnings: readonly ReportWarning[];
  /** Why the report failed; null unless it is FAILED. */
  readonly error: ReportError | null;
  readonly links: ReportLinks;
}

/**
 * Values of a filter, sorted and without duplicates. A row matches if it has any of them, or none of them if the filter
 * excludes values.
 */
export type FilterValues = readonly (string | number | boolean)[];

/** Filters by name, in their normal form. */
export type NormalisedSearchParam = Readonly<Record<string, string | number | boolean | FilterValues>>;

/** Options of the file: how it shows the rows. Options that were not given have their defaults. */
export interface ReportOptions {
  /** Whether csv begins with a byte order mark. */
  readonly csvBom: boolean;
  readonly compression: Compression;
  /** Keys of the columns, in their order. */
  readonly columns: readonly string[];
  /** Keys of columns, - in front for descending. */
  readonly sort: readonly string[];
  /** Key of the column by which rows are grouped. */
  readonly groupBy: string | null;
  /** IANA time zone of the times in the file. */
  readonly timezone: string;
  /** Language tag (BCP 47): how pdf writes dates and numbers, and xlsx dates. */
  readonly locale: string;
  /** Language of the words in pdf and xlsx. */
  readonly language: Language;
  /** Paper of a pdf, and on which an xlsx is printed. */
  readonly paper: Paper;
  /** Which way round the pages of a pdf are. */
  readonly orientation: Orientation;
  /** Whether a pdf is tagged; null where that depends on its number of rows. */
  readonly accessible: boolean | null;
  /** Whether a row snapshot is stored with the file, so that additional formats can be made from it. */
  readonly keepRows: boolean;
}

/** Progress of a report. It never decreases within an attempt. */
export interface ReportProgress {
  readonly phase: ProgressPhase;
  /** Number of rows that are written to the file so far. */
  readonly rowsDone: number;
  /** Number of rows that the file will have; null while it is unknown. */
  readonly rowsTotal: number | null;
  /**
   * Progress in percent: 100 if the report is SUCCEEDED or EXPIRED, else at most 99. Null while rowsTotal is unknown.
   */
  readonly percent: number | null;
}

/** The file of a SUCCEEDED report. */
export interface ReportFile {
  /** ID of the file, for the path of its download. */
  readonly id: string;
  /** Name of the file when it is downloaded. */
  readonly fileName: string;
  /** Extension of the file name without the leading dot, such as pdf or csv.gz. */
  readonly extension: string;
  /** Media type of the file. */
  readonly contentType: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** Keys of the requested columns, or else of the default columns, in the order of the file. */
  readonly columns: readonly string[];
}

/** A warning for readers of the file. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** The warning in words, for people: English sentences, with numbers in plain digits. */
  readonly message: string;
}

/** Why a report failed. */
export interface ReportError {
  readonly code: ReportErrorCode;
  /** The failure in words, for the requester. */
  readonly detail: string;
  /** Whether a new start of the same report can succeed. */
  readonly retryable: boolean;
}

/** Paths. They begin with the path prefix under which the service is reached. */
export interface ReportLinks {
  /** Path of the report's record. */
  readonly self: string;
  /** Path of the download, by report type and report ID. */
  readonly download: string;
  /** Path of the download, by file ID. Null unless the report has a file. */
  readonly file: string | null;
}

/**
 * A file of a report. Fields that describe the bytes are set exactly if it is SUCCEEDED, and error if it is FAILED.
 * Times are RFC 3339 in UTC.
 */
export interface ReportFileRecord {
  /** ID of the file, for the path of its download. */
  readonly id: string;
  /** The report to which the file belongs. */
  readonly reportId: string;
  /** State of the file. */
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  readonly options: ReportOptions;
  /** The principal that requested the file. */
  readonly requestedBy: string;
  /** When the file was requested. */
  readonly createdAt: string;
  /** When a worker first claimed the file; null before. */
  readonly startedAt: string | null;
  /** When the file was finished, or its making failed or was cancelled; null before. */
  readonly finishedAt: string | null;
  /** When the file is removed: at the same time as all files of the report. */
  readonly expiresAt: string | null;
  /** Progress of the file. It never decreases within an attempt. */
  readonly progress: ReportProgress;
  /** Number of the latest attempt: how often workers have claimed the file. */
  readonly attempt: number;
  /** Number of rows in the file; null while it is unknown. */
  readonly rowCount: number | null;
  /** Name of the file when it is downloaded. */
  readonly fileName: string | null;
  /** Extension of the file name without the leading dot, such as pdf or csv.gz. */
  readonly extension: string | null;
  /** Media type of the file. */
  readonly contentType: string | null;
  /** Size of the file in bytes. */
  readonly size: number | null;
  /** SHA-256 of the file. */
  readonly sha256: string | null;
  /** Keys of the requested columns, or else of the default columns, in the order of the file. */
  readonly columns: readonly string[] | null;
  /** Warnings for readers of the file. */
  readonly warnings: readonly ReportWarning[];
  /** Why making the file failed; null unless it is FAILED. */
  readonly error: ReportError | null;
  readonly links: ReportFileLinks;
}

/** Paths. They begin with the path prefix under which the service is reached. */
export interface ReportFileLinks {
  /** Path of the download. */
  readonly self: string;
}

/** A report that was started now, or an unfinished one that was started earlier. */
export interface StartedReport extends Report {
  /** Whether the response is an earlier, unfinished report of the same caller instead of a new one. */
  readonly reused: boolean;
}

/** One transition of a report; the first is its creation. */
export interface ReportEvent {
  /** ID of the event. It increases from event to event over all reports, so the IDs of one report have gaps. */
  readonly id: number;
  /** The report to which the event belongs. */
  readonly reportId: string;
  /** State before the transition; null for the first event, the creation. */
  readonly from: ReportStatus | null;
  readonly to: ReportEventTarget;
  /** Number of the report's latest attempt at that time; 0 before the first. */
  readonly attempt: number;
  /** When the transition happened. */
  readonly at: string;
  readonly because: ReportEventCause | null;
  /**
   * Actor that caused the transition: a principal, or `worker` for the service itself. If a schedule started the report
   * at one of its times, `schedule:` and the ID of the schedule. Null for events of older versions of the service,
   * which did not record it.
   */
  readonly actor: string | null;
}

/** The progress of a report, as an event of its stream. */
export interface ProgressEvent extends ReportProgress {
  /** The report to which the event belongs. */
  readonly reportId: string;
  /** Number of the report's latest attempt at that time; 0 before the first. */
  readonly attempt: number;
}
