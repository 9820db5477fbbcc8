import type { ReportColumn } from "./column.ts";
import type { ReportFormat } from "./format.ts";
import type { ReportRows } from "./row-source.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Condition, SummaryDefinition } from "./summary.ts";
import type { Filter } from "../../query/filters.ts";

/** What one format of a report type can carry. */
export interface FormatLimit {
  readonly maxRows: number;
}

/**
 * A report type, whole, with every default filled in: adding one is registering one of these with an authority. The catalogue, the
 * validation of parameters, OpenAPI and the renderers all read it; none of them knows a type by name. Authors write the short form,
 * ReportTypeInput.
 */
export interface ReportTypeDefinition {
  /** UPPER_SNAKE. */
  readonly type: string;
  /** Grows when columns or meaning change; stored with every report. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  /** Conditions that every row of every report of the type meets, whatever the caller filters by. */
  readonly where: readonly Condition[];
  readonly columns: readonly ReportColumn[];
  readonly defaultSort: readonly SortKey[];
  /** Keys of the columns that a pdf shows where its requester names none, in their order: a page is as wide as it is. */
  readonly pdfColumns: readonly string[];
  /** Keys of the columns by which rows may be grouped. */
  readonly groupable: readonly string[];
  readonly formats: Readonly<Partial<Record<ReportFormat, FormatLimit>>>;
  readonly summary: SummaryDefinition;
  readonly rows: ReportRows;
}

/** A report type together with the authority that its callers must hold. */
export interface RegisteredReportType {
  readonly definition: ReportTypeDefinition;
  readonly authority: string;
}
