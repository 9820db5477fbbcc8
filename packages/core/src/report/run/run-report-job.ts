import { z } from "zod";

export const runReportTask = "run_report";

/** Task of reports that store a row snapshot or are made from one. It has its own name, because workers of earlier versions cannot run them. */
export const runReportWithRowsTask = "run_report_with_rows";

export const runReportPayloadSchema = z.strictObject({
  reportId: z.uuid(),
  traceparent: z.string().max(100).nullish(),
});
