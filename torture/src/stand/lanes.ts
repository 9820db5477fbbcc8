import type { ReportRequest } from "../load/variants.ts";
import type { SourceEdit } from "../processes/rewrite-sources.ts";

export const laneWorkerName = "bulk-worker";

/** With production's sizes of long reports a long run would do nothing else. */
export const laneEdits: readonly SourceEdit[] = [
  { file: "packages/core/src/report/types/format.ts", text: "bulkRows: 20_000,", by: "bulkRows: 100," },
];

/** All domains, which are more than the size of a long report. */
export const bulkRequest: ReportRequest = { reportType: "PROXY_DOMAIN", format: "pdf", sort: ["hostname"] };
