import { reportLanes, type ReportLane } from "@reports/core/base";

export const defaultQueueSchema = "report_queue";

/** Name of the session setting with the process's `QUEUE_SCHEMA`. enqueue_reports fails if it differs from the database's. */
export const queueSchemaSetting = "reports.queue_schema";

/** SQLSTATE with which enqueue_reports refuses another QUEUE_SCHEMA. */
export const wrongQueueSchemaState = "QU001";

/** Names that need no quotes in SQL. 40 characters leave space for suffixes of lanes and of graphile-worker (Postgres's limit is 63 bytes). */
const plainNamePattern = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;

/** Returns the schema of a lane. Each lane is a separate installation of graphile-worker. Throws RangeError for a name that would need quotes. */
export function laneSchema(queueSchema: string, lane: ReportLane): string {
  return `${checkSchemaName(queueSchema)}_${lane}`;
}

/** Returns the schemas of all lanes, in the order of `reportLanes`. Throws RangeError for a name that would need quotes. */
export function laneSchemas(queueSchema: string): readonly string[] {
  return reportLanes.map((lane) => laneSchema(queueSchema, lane));
}

/** Returns the name. Throws RangeError if it is too long or would need quotes. */
export function checkSchemaName(queueSchema: string): string {
  if (plainNamePattern.test(queueSchema)) return queueSchema;
  throw new RangeError(
    "QUEUE_SCHEMA must be at most 40 characters of a-z, 0-9 and _, and must not begin with a digit or with pg_.",
  );
}
