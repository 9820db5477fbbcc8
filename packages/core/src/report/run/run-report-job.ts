import { z } from "zod";

export const runReportTaskName = "run_report";

/** Queue task for reports that store or use a row snapshot. Workers of earlier versions cannot run such reports, and don't know this name. */
export const runReportWithRowsTaskName = "run_report_with_rows";

export const runReportPayloadSchema = z.strictObject({
  reportId: z.uuid(),
  traceparent: z.string().max(100).nullish(),
});
