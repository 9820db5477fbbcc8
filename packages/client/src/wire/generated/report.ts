// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type {
  Compression,
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
  /** The title in the file. */
  readonly title: string;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  readonly searchParam: NormalisedSearchParam;
  readonly searchParamGiven: NormalisedSearchParam;
  readonly options: ReportOptions;
  /** The principal that requested it. */
  readonly requestedBy: string;
  /** The schedule that started it. */
  readonly scheduleId: string | null;
  /** Time of the request. */
  readonly createdAt: string;
  /** When it was claimed first. */
  readonly startedAt: string | null;
  /** When it ended. */
  readonly finishedAt: string | null;
  /** When the record last changed. Progress is such a change. */
  readonly updatedAt: string;
  /** Increases with every change of the record: a later response or event has a higher number. */
  readonly revision: number;
  /** When its file is removed. */
  readonly expiresAt: string | null;
  /** The time as of which its data were read. */
  readonly dataAsOf: string | null;
  /**
   * SHA-256 of its rows where they were kept: two reports of one type and version whose rows are the same, in the same
   * order, have the same.
   */
  readonly dataSha256: string | null;
  readonly progress: ReportProgress;
  /** How often it was claimed. */
  readonly attempt: number;
  /** How often its process crashed or ran out of memory. */
  readonly failures: number;
  /** The number of failures after which the report is FAILED. */
  readonly maxFailures: number;
  /** Rows in the file. */
  readonly rowCount: number | null;
  readonly file: ReportFile | null;
  /** Notes for readers of the file. */
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportError | null;
  readonly links: ReportLinks;
}

/**
 * Filters by name, each in its normalised form. In searchParamGiven relative times are as they were written, in
 * searchParam they are resolved.
 */
export type NormalisedSearchParam = Readonly<Record<string, string | number | boolean | FilterValues>>;

/** Any of these values may match; sorted, without duplicates. */
export type FilterValues = readonly (string | number | boolean)[];

/** How the rows are shown, every default filled in. */
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
  /** Paper of a pdf, and on which an xlsx is printed. */
  readonly paper: Paper;
  /** Which way round the pages of a pdf are. */
  readonly orientation: Orientation;
  /** Whether a pdf is tagged; null where that depends on its number of rows. */
  readonly accessible: boolean | null;
  /** Whether a row snapshot is stored with the file, so that additional formats can be made from it. */
  readonly keepRows: boolean;
}

/** How far a report is; never backwards within an attempt. */
export interface ReportProgress {
  readonly phase: ProgressPhase;
  /** Rows that were written to the file so far. */
  readonly rowsDone: number;
  /** Null while it is not known. */
  readonly rowsTotal: number | null;
  /**
   * Up to 99 while the report is open. 100 exactly when it has SUCCEEDED, also once it is EXPIRED. Null while rowsTotal
   * is not known.
   */
  readonly percent: number | null;
}

/** The file of a report that has succeeded. */
export interface ReportFile {
  /** Part of the path of the download. */
  readonly id: string;
  /** The name under which it is downloaded. */
  readonly fileName: string;
  /** Without the leading dot: pdf, csv.gz. */
  readonly extension: string;
  /** Its media type. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  /** Keys of the requested columns, or of the default ones, in their order. */
  readonly columns: readonly string[];
}

/** A note for readers of a report's file. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  /** For people: English sentences, numbers in plain digits. */
  readonly message: string;
}

/** Why a report failed. */
export interface ReportError {
  readonly code: ReportErrorCode;
  /** Description of the failure, for the requester. */
  readonly detail: string;
  /** Whether starting it again may help. */
  readonly retryable: boolean;
}

/** Paths, with the base path in front. */
export interface ReportLinks {
  /** The report. */
  readonly self: string;
  /** Its file by report type and id. */
  readonly download: string;
  /** Its file, once there is one. */
  readonly file: string | null;
}

/**
 * A file of a report. Fields that describe the bytes are set exactly if it is SUCCEEDED, and error if it is FAILED.
 * Times are RFC 3339 in UTC.
 */
export interface ReportFileRecord {
  /** Part of the path of the download. */
  readonly id: string;
  /** The report that it is of. */
  readonly reportId: string;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  readonly options: ReportOptions;
  /** The principal that requested it. */
  readonly requestedBy: string;
  /** Time of the request. */
  readonly createdAt: string;
  /** When it was claimed first. */
  readonly startedAt: string | null;
  /** When it ended. */
  readonly finishedAt: string | null;
  /** When it is removed. */
  readonly expiresAt: string | null;
  readonly progress: ReportProgress;
  /** How often it was claimed. */
  readonly attempt: number;
  /** Rows in the file. */
  readonly rowCount: number | null;
  /** The name under which it is downloaded. */
  readonly fileName: string | null;
  /** Without the leading dot: pdf, csv.gz. */
  readonly extension: string | null;
  /** Its media type. */
  readonly contentType: string | null;
  /** In bytes. */
  readonly size: number | null;
  /** SHA-256 of its bytes. */
  readonly sha256: string | null;
  /** Keys of the requested columns, or of the default ones, in their order. */
  readonly columns: readonly string[] | null;
  /** Notes for readers of the file. */
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportError | null;
  readonly links: ReportFileLinks;
}

/** Paths, with the base path in front. */
export interface ReportFileLinks {
  /** Its download. */
  readonly self: string;
}

/** A report that was started, or one that was under way already. */
export interface StartedReport extends Report {
  /** Whether it is an earlier report of the same caller. */
  readonly reused: boolean;
}

/** One transition of a report; the first is its creation. */
export interface ReportEvent {
  /** A whole number that increases from event to event, over all reports. */
  readonly id: number;
  /** The report that it happened to. */
  readonly reportId: string;
  readonly from: ReportStatus | null;
  readonly to: ReportEventTarget;
  /** How often the report had been claimed by then. */
  readonly attempt: number;
  /** When it happened. */
  readonly at: string;
  readonly because: ReportEventCause | null;
  /**
   * Actor of the transition: a principal, `schedule:` and the ID of the schedule for a run at one of its times, or
   * `worker` for the service itself. Null for events from before it was recorded.
   */
  readonly actor: string | null;
}

/** How far a report is, on a stream of events. */
export interface ProgressEvent extends ReportProgress {
  /** The report that it happened to. */
  readonly reportId: string;
  /** How often the report had been claimed by then. */
  readonly attempt: number;
}
