import { reportLanes, type ReportLane } from "@reports/core/base";

export const defaultQueueSchema = "report_queue";

/** Session setting with the QUEUE_SCHEMA of the process. enqueue_reports fails if the queue of the database has another schema. */
export const queueSchemaSetting = "reports.queue_schema";

export const wrongQueueSchemaSqlState = "QU001";

/** Names that need no quotes in SQL. 40 characters leave space for the suffixes of lanes and graphile-worker: Postgres allows 63 bytes. */
const plainNamePattern = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;

/**
 * Returns the database schema of a lane. Each lane is a separate installation of graphile-worker. Throws RangeError if `queueSchema` is too long or
 * would need quotes.
 */
export function laneSchemaName(queueSchema: string, lane: ReportLane): string {
  return `${requireQueueSchemaName(queueSchema)}_${lane}`;
}

export function laneSchemaNames(queueSchema: string): readonly string[] {
  return reportLanes.map((lane) => laneSchemaName(queueSchema, lane));
}

export function requireQueueSchemaName(queueSchema: string): string {
  if (plainNamePattern.test(queueSchema)) return queueSchema;
  throw new RangeError(
    "QUEUE_SCHEMA must be at most 40 characters of a-z, 0-9 and _, and must not begin with a digit or with pg_.",
  );
}
