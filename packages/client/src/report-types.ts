import type { CallOptions } from "./call-options.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { EstimateQuery, ReportEstimate, ReportRow, RowsQuery } from "./wire/report-estimate.ts";
import type { ReportType } from "./wire/report-type.ts";

/** The types of reports that can be started. */
export interface ReportTypes {
  list(options?: CallOptions): Promise<readonly ReportType[]>;
  get(reportType: string, options?: CallOptions): Promise<ReportType>;
  /** The first rows of a report of the type, where it has a preview. docs/contract.md §2.7. */
  rows(reportType: string, query?: RowsQuery, options?: CallOptions): Promise<readonly ReportRow[]>;
  /** What a report of the type would be, once for each of its formats. docs/contract.md §2.8. */
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
