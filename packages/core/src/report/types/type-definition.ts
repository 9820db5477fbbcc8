import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { ReportRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Condition, SummaryDefinition } from "./summary.ts";
import type { TextsByLanguage } from "./type-texts.ts";
import type { Filter } from "../../query/filters.ts";

/** Limits of one format of a report type. */
export interface FormatLimit {
  readonly maxRows: number;
}

/** A report type with every default filled in. Authors write a ReportTypeInput instead. Validation, OpenAPI and renderers use only this definition and know no type by its name. */
export interface ReportTypeDefinition {
  /** Name of the type in UPPER_SNAKE. */
  readonly type: string;
  /** Version of the definition, raised when columns or their meaning change. Every report stores the version with which it was started. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  /** Names of the filters that people use most, in the order in which forms show them. Empty if the author names none. */
  readonly prominentFilters: readonly string[];
  /** Conditions that every row must meet, in addition to the caller's filters. */
  readonly where: readonly Condition[];
  readonly columns: readonly ReportColumn[];
  readonly defaultSort: readonly SortKey[];
  /** Keys of the columns that a pdf shows by default, in order. */
  readonly pdfColumns: readonly string[];
  /** Keys of the columns by which callers can group rows. */
  readonly groupable: readonly string[];
  readonly formats: Readonly<Partial<Record<ReportFormat, FormatLimit>>>;
  readonly summary: SummaryDefinition;
  readonly rows: ReportRows;
  /** Words in other languages than English, for pdf and xlsx. */
  readonly texts?: TextsByLanguage;
}

/** A report type with the authority that its callers need. */
export interface RegisteredReportType {
  readonly definition: ReportTypeDefinition;
  readonly authority: string;
}
