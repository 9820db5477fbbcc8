// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ColumnAlignment, ColumnKind, ColumnTone, ReportFormat, RowsAre } from "./enumerations.ts";

/** A type of report: its filters, options and columns. */
export interface ReportType {
  /** Name of the type, as a start gives it. */
  readonly reportType: string;
  /** Version of the definition. It increases if the columns or their meaning change. */
  readonly version: number;
  /** Title of a report whose start gives none. */
  readonly title: string;
  /** Content of the reports, in one line. */
  readonly description: string;
  /** Authority that a caller needs for reports of the type. */
  readonly authority: string;
  /** JSON Schema of the filters, as a start gives them in searchParam. */
  readonly searchParam: Readonly<Record<string, unknown>>;
  /** Names of the filters that people use most, in the order in which forms show them first. */
  readonly prominentFilters: readonly string[];
  readonly formerNames: ReportTypeFormerNames;
  /** Names of the filters whose values come from data. GET …/filters/{filter}/values lists them. */
  readonly filterValues: readonly string[];
  /** All columns of the type, in the default order. */
  readonly columns: readonly ReportTypeColumn[];
  /** Figures that pdf, xlsx and json also show for each group (option groupBy). */
  readonly subtotals: readonly ReportTypeSubtotal[];
  /** Keys of the columns that a pdf shows by default, in their order. */
  readonly pdfColumns: readonly string[];
  /** Default sort: keys of columns, with - in front for descending. */
  readonly defaultSort: readonly string[];
  /** Formats in which reports of the type can be made. */
  readonly formats: readonly ReportTypeFormat[];
  /** Whether the first rows can be read without a start (a preview). */
  readonly preview: boolean;
  readonly links: ReportTypeLinks;
}

/**
 * Names of filters and columns in earlier versions of the type. They are deprecated: a request can use them, and its
 * record has the current names.
 */
export interface ReportTypeFormerNames {
  /** Names of filters by their former names. */
  readonly filters: Readonly<Record<string, string>>;
  /** Keys of columns by their former keys. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A column of a report type. */
export interface ReportTypeColumn {
  /** Name of the column in options, csv and json. */
  readonly key: string;
  /** Name of the column in pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /**
   * Texts that pdf and xlsx show instead of the codes of the column, by code. Empty if they show all values unchanged.
   */
  readonly titles: Readonly<Record<string, string>>;
  /** Explanations of the titles, by code, each in one sentence. A code whose title needs no explanation has none. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Tones of the codes of the column, by code. pdf and xlsx show them as colours, next to words. */
  readonly tones: Readonly<Record<string, ColumnTone>>;
  /** Tones of the numbers of the column. The first that a number matches applies. */
  readonly tonesByNumber: readonly ReportTypeNumberTone[];
  /** Whether the times of the column are ends, such as those of certificates. */
  readonly expires: boolean;
  /**
   * Key of the column whose values are the URLs of this column's values. Only https URLs are links. Null for a column
   * without links.
   */
  readonly link: string | null;
  /** Unit that pdf and xlsx show after the numbers of the column. Null if they have none. */
  readonly unit: string | null;
  /** Code of ISO 4217 of the amounts in the column. Null if they have none, or if each row has its own. */
  readonly currency: string | null;
  /** Key of the column that has the currency of each row. Null if there is none. */
  readonly currencyColumn: string | null;
  /** Decimal places to which pdf and xlsx round the numbers. Null if the kind or the currency decides. */
  readonly digits: number | null;
  /** Alignment of the column in pdf and xlsx. Null if the kind decides. */
  readonly align: ColumnAlignment | null;
  /** Whether rows can be sorted by the column (option sort). */
  readonly sortable: boolean;
  /** Whether rows can be grouped by the column (option groupBy). */
  readonly groupable: boolean;
}

/** A tone of numbers, from atLeast up to but not including below. */
export interface ReportTypeNumberTone {
  /** Lowest number of the tone. Null if it has none. */
  readonly atLeast: number | null;
  /** Number that ends the tone. Null if it has none. */
  readonly below: number | null;
  readonly tone: ColumnTone;
}

/** A figure that is shown for each group. */
export interface ReportTypeSubtotal {
  /** Key of the figure. */
  readonly key: string;
  /** Title of the figure, in English. */
  readonly title: string;
}

/** A format that a report type has, and its limit. */
export interface ReportTypeFormat {
  readonly format: ReportFormat;
  /** Highest number of rows in this format. A report with more rows fails. */
  readonly maxRows: number;
  /** Whether a file of this format can be compressed (option compression). */
  readonly compressible: boolean;
  /**
   * Whether the file shows each group under a heading (option groupBy). If not, groupBy only sorts the rows by its
   * column first.
   */
  readonly showsGroups: boolean;
  /**
   * Number of rows up to which the file is tagged for screen readers by default (option accessible). Null if files of
   * this format are never tagged.
   */
  readonly taggedMaxRows: number | null;
}

/** Paths. They begin with the path prefix under which the service is reached. */
export interface ReportTypeLinks {
  /** Path of the type. */
  readonly self: string;
  /** Path that starts a report of the type. */
  readonly start: string;
}

/** Estimate of a report in one format. */
export interface ReportEstimate {
  readonly format: ReportFormat;
  /** Estimated number of rows; null if it is unknown. */
  readonly rows: number | null;
  readonly rowsAre: RowsAre | null;
  /**
   * Estimated size of the file in bytes, from earlier reports of the same type and format and of similar size. Null if
   * rows is null, or if there are fewer than ten such reports.
   */
  readonly sizeBytes: number | null;
  /**
   * Estimated seconds from the claim by a worker to the end of the report, without the wait in the queue. The estimate
   * comes from the same earlier reports as sizeBytes, and is null with it.
   */
  readonly seconds: number | null;
  /** Highest number of rows in this format. A report with more rows fails. */
  readonly maxRows: number;
  /** Whether rows is at most maxRows; null if rows is null. */
  readonly fits: boolean | null;
}

/** A value of a filter, from the data of its type. */
export interface FilterChoice {
  /** The value, as a start gives it in searchParam. */
  readonly value: string;
  /** The value in words. */
  readonly title: string;
}

/** A row of a report by keys of columns, as the json format has it. */
export type ReportRow = Readonly<Record<string, string | number | boolean | ReportRowList | null>>;

/** The value of a list column: its items as texts. */
export type ReportRowList = readonly (string | null)[];
