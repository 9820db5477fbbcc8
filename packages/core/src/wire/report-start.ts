import type { z } from "zod";
import type { FilterValue } from "../query/filters.ts";
import type { reportPatchSchema } from "../report/lifecycle/change-report.ts";
import type { RequestedOptions } from "../report/types/options.ts";

/** Options of a start; null is the same as left out. */
type GivenOptions = { -readonly [Name in keyof RequestedOptions]?: RequestedOptions[Name] | null };

/** The body of a start, whatever its report type, which says what filters, columns and formats there are. docs/reference/resources/reports.md#starting-a-report. */
export interface ReportStart extends GivenOptions {
  reportType: string;
  /** Filters by name, or a text to search for; everything by default. */
  searchParam?: string | Readonly<Record<string, FilterValue | readonly FilterValue[]>> | null;
}

/** The body that asks for a further file. docs/reference/resources/report-files.md#additional-formats. */
export interface ReportFileStart extends Omit<GivenOptions, "format" | "sort" | "keepRows" | "title"> {
  format: RequestedOptions["format"];
}

/** A merge patch of a report. docs/reference/resources/reports.md#renaming-cancelling-and-deleting. */
export type ReportPatch = z.input<typeof reportPatchSchema>;
