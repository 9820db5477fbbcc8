import type { TortureReportRequest } from "../load/report-variants.ts";
import type { SourceEdit } from "../processes/rewrite-sources-on-load.ts";

export const bulkLaneWorkerName = "bulk-worker";

/** Lowers the number of rows from which a report counts as long. Reports with the real number, 20,000 rows, would take up too much of a run. */
export const bulkLaneEdits: readonly SourceEdit[] = [
  { file: "packages/core/src/report/types/format.ts", text: "bulkRows: 20_000,", by: "bulkRows: 100," },
];

export const bulkReportRequest: TortureReportRequest = {
  reportType: "PROXY_DOMAIN",
  format: "pdf",
  sort: ["hostname"],
};
