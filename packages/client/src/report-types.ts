import type { CallOptions } from "./call-options.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import type { Transport } from "./transport/send.ts";
import type { EstimateQueryOf, ReportTypeName, RowsQuery, RowsQueryOf } from "./typed-requests.ts";
import type { ReportStart } from "./wire/generated/report-start.ts";
import type { FilterChoice, ReportEstimate, ReportRow, ReportType } from "./wire/generated/report-type.ts";

/** The filters and options of a report to estimate. docs/reference/resources/previews.md#estimates. */
export type EstimateQuery = Omit<ReportStart, "reportType">;

/** Reads report types, and previews and estimates of their reports. */
export interface ReportTypes<Types = unknown> {
  list(options?: CallOptions): Promise<readonly ReportType[]>;
  get(reportType: ReportTypeName<Types>, options?: CallOptions): Promise<ReportType>;
  /** Returns the first rows of a report, if its type has a preview. docs/reference/resources/previews.md#previews. */
  rows<Name extends ReportTypeName<Types>>(
    reportType: Name,
    query?: RowsQueryOf<Types, Name>,
    options?: CallOptions,
  ): Promise<readonly ReportRow[]>;
  /**
   * Returns the values of a filter that the report type names in its field `filterValues`.
   * docs/reference/resources/report-types.md#values-of-filters.
   */
  filterValues(
    reportType: ReportTypeName<Types>,
    filter: string,
    options?: CallOptions,
  ): Promise<readonly FilterChoice[]>;
  /** Estimates rows, bytes and seconds of a report for each of its formats. docs/reference/resources/previews.md#estimates. */
  estimates<Name extends ReportTypeName<Types>>(
    reportType: Name,
    query?: EstimateQueryOf<Types, Name>,
    options?: CallOptions,
  ): Promise<readonly ReportEstimate[]>;
}

/** Leaves out the options of a start that a preview does not have, so that one object of options serves both. */
function toPreviewQuery({ searchParam, columns, sort, timezone, limit }: RowsQuery): RowsQuery {
  return { searchParam, columns, sort, timezone, limit };
}

export function createReportTypeMethods(transport: Transport): ReportTypes {
  const at = createResourceClientFactory(transport, "report-types");
  return {
    list: at().get,
    get: async (reportType, options) => at(reportType).get(options),
    rows: async (reportType, query, options) => at(reportType, "rows").get(options, query && toPreviewQuery(query)),
    filterValues: async (reportType, filter, options) => at(reportType, "filters", filter, "values").get(options),
    estimates: async (reportType, query, options) => at(reportType, "estimates").get(options, query),
  };
}
