import { z } from "zod";

/** Name of the queue's task that runs a report. */
export const runReportTask = "run_report";

/** The same for reports that keep their rows and for files that are made of kept rows: workers of before know nothing of either. */
export const runReportWithRowsTask = "run_report_with_rows";

/** Payload of both tasks: the report's id and the trace context of the request that started it, nothing else. */
export const runReportPayloadSchema = z.strictObject({
  reportId: z.uuid(),
  traceparent: z.string().max(100).nullish(),
});
