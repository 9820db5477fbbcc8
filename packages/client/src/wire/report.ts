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

/** One value of a filter. */
export type FilterValue = string | number | boolean;

/** A report as the gateway shows it. Times are RFC 3339 in UTC. docs/contract.md §4.3. */
export interface Report {
  readonly id: string;
  readonly reportType: string;
  /** The title in the file. */
  readonly title: string;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  /** Filters by name, each in its normalised form. */
  readonly searchParam: Readonly<Record<string, FilterValue | readonly FilterValue[]>>;
  /** The same as it was written: relative times are resolved in searchParam only. */
  readonly searchParamGiven: Readonly<Record<string, FilterValue | readonly FilterValue[]>>;
  readonly options: ReportOptions;
  /** The principal that asked for it. */
  readonly requestedBy: string;
  /** The schedule that started it. */
  readonly scheduleId: string | null;
  readonly createdAt: string;
  /** When it was claimed first. */
  readonly startedAt: string | null;
  /** When it ended. */
  readonly finishedAt: string | null;
  readonly updatedAt: string;
  /** Rises with every change of the record: of two answers or events the later has the higher one. */
  readonly revision: number;
  /** When its file is removed. */
  readonly expiresAt: string | null;
  /** The time as of which its data were read. */
  readonly dataAsOf: string | null;
  /** SHA-256 of its rows where they were kept: rows that are the same have the same. */
  readonly dataSha256: string | null;
  readonly progress: ReportProgress;
  /** How often it was claimed. */
  readonly attempt: number;
  /** How often its process crashed or ran out of memory. */
  readonly failures: number;
  /** The number of failures after which the report is given up. */
  readonly maxFailures: number;
  /** Rows in the file. */
  readonly rowCount: number | null;
  /** Set exactly when it has SUCCEEDED. */
  readonly file: ReportFile | null;
  readonly warnings: readonly ReportWarning[];
  /** Set exactly when it has FAILED. */
  readonly error: ReportError | null;
  /** Paths, with the base path of the gateway in front. */
  readonly links: ReportLinks;
}

/** A file of a report with its own life. What describes its bytes is set exactly when it has SUCCEEDED. docs/contract.md §5.6. */
export interface ReportFileRecord {
  readonly id: string;
  readonly reportId: string;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  readonly options: ReportOptions;
  /** The principal that asked for it. */
  readonly requestedBy: string;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly expiresAt: string | null;
  readonly progress: ReportProgress;
  readonly attempt: number;
  readonly rowCount: number | null;
  readonly fileName: string | null;
  readonly extension: string | null;
  readonly contentType: string | null;
  /** In bytes. */
  readonly size: number | null;
  readonly sha256: string | null;
  readonly columns: readonly string[] | null;
  readonly warnings: readonly ReportWarning[];
  readonly error: ReportError | null;
  readonly links: { readonly self: string };
}

/** A report after its start. */
export interface StartedReport extends Report {
  /** Whether it is an earlier report of the same caller. */
  readonly reused: boolean;
}

/** How the rows are shown, every default filled in. */
export interface ReportOptions {
  readonly csvBom: boolean;
  readonly compression: Compression;
  /** Keys of the columns, in their order. */
  readonly columns: readonly string[];
  /** Keys of columns, `-` in front for descending. */
  readonly sort: readonly string[];
  readonly groupBy: string | null;
  /** IANA time zone of the times in the file. */
  readonly timezone: string;
  /** Language tag (BCP 47): how pdf writes dates and numbers, and xlsx dates. */
  readonly locale: string;
  readonly paper: Paper;
  readonly orientation: Orientation;
  /** Whether a pdf is tagged; null where that depends on its number of rows. */
  readonly accessible: boolean | null;
  /** Whether the rows are kept beside the file, so that further files can be made of them. */
  readonly keepRows: boolean;
}

/** How far a report is; never backwards within an attempt. */
export interface ReportProgress {
  readonly phase: ProgressPhase;
  readonly rowsDone: number;
  /** Null while it is not known. */
  readonly rowsTotal: number | null;
  /** 100 exactly when the report has SUCCEEDED or EXPIRED; null while it is not known. */
  readonly percent: number | null;
}

/** The file of a report that has succeeded. */
export interface ReportFile {
  readonly id: string;
  readonly fileName: string;
  /** Without the leading dot: `pdf`, `csv.gz`. */
  readonly extension: string;
  /** Its media type. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** In lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Keys of the columns that were asked for, or of the default ones, in their order. */
  readonly columns: readonly string[];
}

/** What a reader of a report's file should know. */
export interface ReportWarning {
  readonly code: ReportWarningCode;
  readonly message: string;
}

/** Why a report failed. */
export interface ReportError {
  readonly code: ReportErrorCode;
  readonly detail: string;
  /** Whether starting it again may help. */
  readonly retryable: boolean;
}

/** Paths of a report, with the base path of the gateway in front. */
export interface ReportLinks {
  readonly self: string;
  readonly download: string;
  /** Null until there is a file. */
  readonly file: string | null;
}

/** One transition of a report; the first is its creation. docs/contract.md §4.5. */
export interface ReportEvent {
  readonly id: number;
  readonly reportId: string;
  readonly from: ReportStatus | null;
  readonly to: ReportEventTarget;
  readonly attempt: number;
  readonly at: string;
  /** Why a report expired before its retention was over (FILE_DAMAGED), or why a worker handed it back. */
  readonly because: ReportEventCause | null;
  /** A principal, `schedule:{id}` for a run at a time of that schedule, or `worker` for the service itself. */
  readonly actor: string | null;
}

/** How far a report is, on a stream of events. */
export interface ProgressEvent extends ReportProgress {
  readonly reportId: string;
  readonly attempt: number;
}

/** A further file to make of the rows that a report has kept. What is left out is as it was for the report. docs/contract.md §5.6. */
export interface ReportFileStart extends Omit<
  ReportStart,
  "reportType" | "searchParam" | "format" | "sort" | "title" | "keepRows"
> {
  readonly format: ReportFormat;
}

/** A report to start. An option that is null is the same as left out. docs/contract.md §2.4. */
export interface ReportStart {
  readonly reportType: string;
  /** Filters by name, or a text to search for; everything by default. */
  readonly searchParam?: Readonly<Record<string, FilterValue | readonly FilterValue[]>> | string | null | undefined;
  /** pdf by default. */
  readonly format?: ReportFormat | null | undefined;
  /** Keys of columns, in the order in which they are shown; by default all, in a pdf those of `pdfColumns`. */
  readonly columns?: readonly string[] | null | undefined;
  /** Up to five keys of columns, `-` in front for descending. */
  readonly sort?: readonly string[] | null | undefined;
  /** Key of the column by which rows are grouped. */
  readonly groupBy?: string | null | undefined;
  /** IANA time zone of the times in the file; UTC by default. */
  readonly timezone?: string | null | undefined;
  /** Language tag (BCP 47): how pdf writes dates and numbers, and xlsx dates; en by default. */
  readonly locale?: string | null | undefined;
  /** That of the report type by default. */
  readonly title?: string | null | undefined;
  /** Whether csv begins with a byte order mark; true by default. */
  readonly csvBom?: boolean | null | undefined;
  readonly compression?: Compression | null | undefined;
  /** Paper of a pdf; A4 by default. */
  readonly paper?: Paper | null | undefined;
  /** Which way round the pages of a pdf are; `auto`, the default, is portrait where the columns fit. */
  readonly orientation?: Orientation | null | undefined;
  /** Whether a pdf is tagged (PDF/UA-1); by default up to `taggedMaxRows` rows. */
  readonly accessible?: boolean | null | undefined;
  /** Whether the rows are kept beside the file, so that further files can be made of them; false by default. */
  readonly keepRows?: boolean | null | undefined;
}
