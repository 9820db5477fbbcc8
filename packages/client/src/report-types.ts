import type { CallOptions } from "./call-options.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportStart } from "./wire/generated/report-start.ts";
import type { ReportEstimate, ReportRow, ReportType } from "./wire/generated/report-type.ts";

/** Which rows of a report are read without starting it. docs/reference/resources/previews.md#previews. */
export interface RowsQuery extends Pick<ReportStart, "searchParam" | "columns" | "sort" | "timezone"> {
  /** 1–100; 20 by default. */
  readonly limit?: number | undefined;
}

/** A report to estimate. docs/reference/resources/previews.md#estimates. */
export type EstimateQuery = Omit<ReportStart, "reportType">;

/** The types of reports that can be started. */
export interface ReportTypes {
  list(options?: CallOptions): Promise<readonly ReportType[]>;
  get(reportType: string, options?: CallOptions): Promise<ReportType>;
  /** The first rows of a report of the type, where it has a preview. docs/reference/resources/previews.md#previews. */
  rows(reportType: string, query?: RowsQuery, options?: CallOptions): Promise<readonly ReportRow[]>;
  /** What a report of the type would be, once for each of its formats. docs/reference/resources/previews.md#estimates. */
  estimates(reportType: string, query?: EstimateQuery, options?: CallOptions): Promise<readonly ReportEstimate[]>;
}

export function reportTypesOf(transport: Transport): ReportTypes {
  const at = resourcesAt(transport, "report-types");
  return {
    list: at().get,
    get: async (reportType, options) => at(reportType).get(options),
    rows: async (reportType, query, options) => at(reportType, "rows").get(options, query),
    estimates: async (reportType, query, options) => at(reportType, "estimates").get(options, query),
  };
}
