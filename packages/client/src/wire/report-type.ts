import type { ColumnKind, ReportFormat } from "./enumerations.ts";

/** A type of report: what it takes and what it shows. docs/contract.md §2.2. */
export interface ReportType {
  /** Names the type in starts. */
  readonly reportType: string;
  /** Grows when its columns or their meaning change. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /** What a caller must hold. */
  readonly authority: string;
  /** JSON Schema (2020-12) of its filters. */
  readonly searchParam: Readonly<Record<string, unknown>>;
  readonly columns: readonly ReportTypeColumn[];
  /** Keys of the columns that a pdf shows where none are asked for, in their order. */
  readonly pdfColumns: readonly string[];
  /** Keys of columns, `-` in front for descending. */
  readonly defaultSort: readonly string[];
  readonly formats: readonly ReportTypeFormat[];
  /** Whether its first rows can be read without a report. */
  readonly preview: boolean;
  /** Paths, with the base path of the gateway in front. */
  readonly links: { readonly self: string; readonly start: string };
}

/** A column of a report type. */
export interface ReportTypeColumn {
  /** Names the column in options and in csv and json. */
  readonly key: string;
  /** Names the column in pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /** What pdf and xlsx show for values that are codes; empty where all values are shown as they are. */
  readonly titles: Readonly<Record<string, string>>;
  readonly sortable: boolean;
  readonly groupable: boolean;
}

/** A format that a report type has. */
export interface ReportTypeFormat {
  readonly format: ReportFormat;
  /** A report of more rows fails. */
  readonly maxRows: number;
  readonly compressible: boolean;
  /** Whether `groupBy` gives each group a heading. */
  readonly showsGroups: boolean;
  /** Rows up to which the file is tagged where the start does not say; null where there is no such thing. */
  readonly taggedMaxRows: number | null;
}
