import { z } from "zod";

/** Name of the queue's task that runs a report. */
export const runReportTask = "run_report";

/** Payload of that task: the report's id and the trace context of the request that started it, nothing else. */
export const runReportPayloadSchema = z.strictObject({
  reportId: z.uuid(),
  traceparent: z.string().max(100).nullish(),
});
