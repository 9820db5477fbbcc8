import type { z } from "zod";
import type { FilterValue } from "../query/filters.ts";
import type { reportPatchSchema } from "../report/lifecycle/change-report.ts";
import type { RequestedOptions } from "../report/types/options.ts";

/** Options of a start. Null means the same as an option that is left out. */
type GivenOptions = { -readonly [Name in keyof RequestedOptions]?: RequestedOptions[Name] | null };

/** The request body of a start. The report type decides which filters, columns and formats are allowed. docs/reference/resources/reports.md#starting-a-report. */
export interface ReportStart extends GivenOptions {
  reportType: string;
  /** Filters by name, or a text to search for. Without it, the report has all rows. */
  searchParam?: string | Readonly<Record<string, FilterValue | readonly FilterValue[]>> | null;
}

/** The request body for an additional format of a report. docs/reference/resources/report-files.md#additional-formats. */
export interface ReportFileStart extends Omit<GivenOptions, "format" | "sort" | "keepRows" | "title"> {
  format: RequestedOptions["format"];
}

/** A merge patch of a report. docs/reference/resources/reports.md#renaming-cancelling-and-deleting. */
export type ReportPatch = z.input<typeof reportPatchSchema>;
