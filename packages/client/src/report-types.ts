import type { CallOptions } from "./call-options.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportStart } from "./wire/generated/report-start.ts";
import type { FilterChoice, ReportEstimate, ReportRow, ReportType } from "./wire/generated/report-type.ts";

/** The rows of a preview, which reads a report without starting it. docs/reference/resources/previews.md#previews. */
export interface RowsQuery extends Pick<ReportStart, "searchParam" | "columns" | "sort" | "timezone"> {
  /** The number of rows, 1–100. Default: 20. */
  readonly limit?: number | undefined;
}

/** A report to estimate. docs/reference/resources/previews.md#estimates. */
export type EstimateQuery = Omit<ReportStart, "reportType">;

/** Reads report types, and previews and estimates of their reports. */
export interface ReportTypes {
  list(options?: CallOptions): Promise<readonly ReportType[]>;
  get(reportType: string, options?: CallOptions): Promise<ReportType>;
  /** Returns the first rows of a report, if its type has a preview. docs/reference/resources/previews.md#previews. */
  rows(reportType: string, query?: RowsQuery, options?: CallOptions): Promise<readonly ReportRow[]>;
  /** Returns the values of a filter of `filterValues`. docs/reference/resources/report-types.md#values-of-filters. */
  filterValues(reportType: string, filter: string, options?: CallOptions): Promise<readonly FilterChoice[]>;
  /** Estimates rows, bytes and seconds of a report for each of its formats. docs/reference/resources/previews.md#estimates. */
  estimates(reportType: string, query?: EstimateQuery, options?: CallOptions): Promise<readonly ReportEstimate[]>;
}

export function createReportTypes(transport: Transport): ReportTypes {
  const at = resourcesAt(transport, "report-types");
  return {
    list: at().get,
    get: async (reportType, options) => at(reportType).get(options),
    rows: async (reportType, query, options) => at(reportType, "rows").get(options, query),
    filterValues: async (reportType, filter, options) => at(reportType, "filters", filter, "values").get(options),
    estimates: async (reportType, query, options) => at(reportType, "estimates").get(options, query),
  };
}
