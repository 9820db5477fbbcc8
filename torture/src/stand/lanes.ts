import type { ReportRequest } from "../load/report-variants.ts";
import type { SourceEdit } from "../processes/rewrite-sources.ts";

export const laneWorkerName = "bulk-worker";

/** Lowers the number of rows from which a report counts as long. Reports with the real number, 20,000 rows, would take up too much of a run. */
export const laneEdits: readonly SourceEdit[] = [
  { file: "packages/core/src/report/types/format.ts", text: "bulkRows: 20_000,", by: "bulkRows: 100," },
];

export const bulkRequest: ReportRequest = { reportType: "PROXY_DOMAIN", format: "pdf", sort: ["hostname"] };
