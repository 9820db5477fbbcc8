import type { ReportRequest } from "../load/variants.ts";
import type { SourceEdit } from "../processes/rewrite-sources.ts";

/** The worker that alone serves the lane of long reports, where a stand has one. */
export const laneWorkerName = "bulk-worker";

/** What the stand's API takes for a long report: with the sizes of production a long run would do nothing else. */
export const laneEdits: readonly SourceEdit[] = [
  { file: "packages/core/src/report/types/format.ts", text: "bulkRows: 20_000,", by: "bulkRows: 100," },
];

/** A report of all domains, which are more than that. */
export const bulkRequest: ReportRequest = { reportType: "PROXY_DOMAIN", format: "pdf", sort: ["hostname"] };
