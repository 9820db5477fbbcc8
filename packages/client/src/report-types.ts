import type { CallOptions } from "./call-options.ts";
import { queryText } from "./list.ts";
import { call } from "./transport/call.ts";
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
  const read = async <T>(path: readonly string[], query: object, options?: CallOptions): Promise<T> =>
    call(transport, "GET", ["report-types", ...path], options, { query: queryText(query) });
  return {
    list: async (options) => read([], {}, options),
    get: async (reportType, options) => read([reportType], {}, options),
    rows: async (reportType, query = {}, options) => read([reportType, "rows"], startQuery(query), options),
    estimates: async (reportType, query = {}, options) => read([reportType, "estimates"], startQuery(query), options),
  };
}

/** As the query of a start spells it: filters as JSON, lists with commas. docs/contract.md §2.3, §2.4. */
function startQuery(query: RowsQuery | EstimateQuery): object {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => {
      if (value === null) return [name, undefined];
      if (Array.isArray(value)) return [name, value.join(",")];
      return [name, typeof value === "object" ? JSON.stringify(value) : value];
    }),
  );
}
