// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ColumnKind, ReportFormat, RowsAre } from "./enumerations.ts";

/** A type of report: its filters, options and columns. */
export interface ReportType {
  /** Names the type in starts. */
  readonly reportType: string;
  /** Grows when its columns or their meaning change. */
  readonly version: number;
  /** The title of its reports where a start names none. */
  readonly title: string;
  /** Content of its reports, in one line. */
  readonly description: string;
  /** Authority that a caller must hold. */
  readonly authority: string;
  /** JSON Schema of searchParam in its JSON spelling. */
  readonly searchParam: Readonly<Record<string, unknown>>;
  /** Every column that it has, in their default order. */
  readonly columns: readonly ReportTypeColumn[];
  /** Keys of the columns that a pdf shows by default, in their order. */
  readonly pdfColumns: readonly string[];
  /** Keys of columns, - in front for descending. */
  readonly defaultSort: readonly string[];
  /** The formats that it can be started in. */
  readonly formats: readonly ReportTypeFormat[];
  /** Whether its first rows can be read without a report. */
  readonly preview: boolean;
  readonly links: ReportTypeLinks;
}

/** A column of a report type. */
export interface ReportTypeColumn {
  /** Names the column in options and in csv and json. */
  readonly key: string;
  /** Names the column in pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /** Texts that pdf and xlsx show instead of codes; empty if all values are shown unchanged. */
  readonly titles: Readonly<Record<string, string>>;
  /** Whether sort takes it. */
  readonly sortable: boolean;
  /** Whether groupBy takes it. */
  readonly groupable: boolean;
}

/** A format that a report type has, and its limit. */
export interface ReportTypeFormat {
  readonly format: ReportFormat;
  /** A report of more rows fails. */
  readonly maxRows: number;
  /** Whether compression takes anything but none. */
  readonly compressible: boolean;
  /** Whether groupBy gives each group a heading; if not, the rows are only sorted by its column first. */
  readonly showsGroups: boolean;
  /**
   * Rows up to which the file is tagged (accessible) where the start does not say; null where there is no such thing.
   */
  readonly taggedMaxRows: number | null;
}

/** Paths, with the base path in front. */
export interface ReportTypeLinks {
  /** The type. */
  readonly self: string;
  /** Starts a report of it. */
  readonly start: string;
}

/** Estimate of a report in one format. */
export interface ReportEstimate {
  readonly format: ReportFormat;
  /** Approximate number; null if it cannot be estimated. */
  readonly rows: number | null;
  readonly rowsAre: RowsAre | null;
  /** Estimated from the latest reports of about this size; null if there are fewer than ten. */
  readonly sizeBytes: number | null;
  /** From the claim to the end, by the same reports; null with fewer than ten. */
  readonly seconds: number | null;
  /** A report of more rows fails. */
  readonly maxRows: number;
  /** Whether rows are at most maxRows; null without rows. */
  readonly fits: boolean | null;
}

/** A row of a report by keys of columns, as the json format has it. */
export type ReportRow = Readonly<Record<string, string | number | boolean | ReportRowList | null>>;

/** The value of a list. */
export type ReportRowList = readonly (string | null)[];
