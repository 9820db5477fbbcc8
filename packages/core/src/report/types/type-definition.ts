import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { ReportRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Condition, SummaryDefinition } from "./summary.ts";
import type { Filter } from "../../query/filters.ts";

/** Limits of one format of a report type. */
export interface FormatLimit {
  readonly maxRows: number;
}

/**
 * A report type with every default filled in. To add a type, register one with an authority. Catalogue, validation, OpenAPI and
 * renderers read it, and none knows a type by name. Authors write ReportTypeInput.
 */
export interface ReportTypeDefinition {
  /** UPPER_SNAKE. */
  readonly type: string;
  /** Grows when columns or meaning change; stored with every report. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  /** Conditions that every row must meet, besides the caller's filters. */
  readonly where: readonly Condition[];
  readonly columns: readonly ReportColumn[];
  readonly defaultSort: readonly SortKey[];
  /** A pdf's default columns, in order. */
  readonly pdfColumns: readonly string[];
  /** Columns by which rows may be grouped. */
  readonly groupable: readonly string[];
  readonly formats: Readonly<Partial<Record<ReportFormat, FormatLimit>>>;
  readonly summary: SummaryDefinition;
  readonly rows: ReportRows;
}

/** A report type with the authority that its callers must hold. */
export interface RegisteredReportType {
  readonly definition: ReportTypeDefinition;
  readonly authority: string;
}
