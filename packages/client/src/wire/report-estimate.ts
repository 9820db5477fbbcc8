import type { Open } from "./open.ts";
import type { ReportFormat } from "./enumerations.ts";
import type { FilterValue, ReportStart } from "./report.ts";

/** Which rows of a report are read without it. docs/contract.md §2.7. */
export interface RowsQuery extends Pick<ReportStart, "searchParam" | "columns" | "sort" | "timezone"> {
  /** 1–100; 20 by default. */
  readonly limit?: number | undefined;
}

/** A report of which it is asked what it would be. docs/contract.md §2.8. */
export type EstimateQuery = Omit<ReportStart, "reportType">;

/** A row of a report by keys of columns, as the json format has it. docs/contract.md §2.5. */
export type ReportRow = Readonly<Record<string, FilterValue | readonly (string | null)[] | null>>;

/** What a report would be in one format. docs/contract.md §2.8. */
export interface ReportEstimate {
  readonly format: ReportFormat;
  /** About how many; null where that cannot be told. */
  readonly rows: number | null;
  /** Whether they were counted, or are what the database's planner expects. Null without rows. */
  readonly rowsAre: Open<"PLANNED" | "EXACT" | "PREVIOUS"> | null;
  /** Of the file; null with fewer than ten reports to tell by. */
  readonly sizeBytes: number | null;
  /** From the claim to the end; null with fewer than ten reports to tell by. */
  readonly seconds: number | null;
  /** A report of more rows fails. */
  readonly maxRows: number;
  /** Whether `rows` are at most `maxRows`. Null without rows. */
  readonly fits: boolean | null;
}
