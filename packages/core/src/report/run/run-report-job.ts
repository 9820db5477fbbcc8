import { z } from "zod";

export const runReportTask = "run_report";

/** For reports that keep a row snapshot or are made from one: earlier workers know neither. */
export const runReportWithRowsTask = "run_report_with_rows";

/** Both tasks: the report's ID and the starting request's trace context. */
export const runReportPayloadSchema = z.strictObject({
  reportId: z.uuid(),
  traceparent: z.string().max(100).nullish(),
});
