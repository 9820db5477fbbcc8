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

/**
 * A report type with every default filled in. ReportTypeInput, which authors write, describes its fields. Validation, OpenAPI and renderers use only
 * this definition and know no type by its name.
 */
export interface ReportTypeDefinition {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  readonly prominentFilters: readonly string[];
  readonly where: readonly Condition[];
  readonly columns: readonly ReportColumn[];
  readonly defaultSort: readonly SortKey[];
  readonly pdfColumns: readonly string[];
  readonly groupable: readonly string[];
  readonly formats: Readonly<Partial<Record<ReportFormat, FormatLimit>>>;
  readonly summary: SummaryDefinition;
  readonly rows: ReportRows;
  readonly texts?: TextsByLanguage;
}

/** A report type with the authority that its callers need. */
export interface RegisteredReportType {
  readonly definition: ReportTypeDefinition;
  readonly authority: string;
}
