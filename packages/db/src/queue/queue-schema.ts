import { reportLanes, type ReportLane } from "@reports/core/base";

/** The default of `QUEUE_SCHEMA`. */
export const defaultQueueSchema = "report_queue";

/** A session setting by which enqueue_reports refuses a process with another `QUEUE_SCHEMA`. */
export const queueSchemaSetting = "reports.queue_schema";

/** SQLSTATE of that refusal. */
export const wrongQueueSchemaState = "QU001";

/** Needs no quotes in SQL, and leaves room for suffixes of lanes and graphile-worker (Postgres's limit is 63 bytes). */
const plainName = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;

/** Returns a lane's schema, a separate installation of graphile-worker. Throws RangeError for a name that would need quotes. */
export function laneSchema(queueSchema: string, lane: ReportLane): string {
  return `${checkedName(queueSchema)}_${lane}`;
}

/** In the order of `reportLanes`. Throws RangeError for a name that would need quotes. */
export function laneSchemas(queueSchema: string): readonly string[] {
  return reportLanes.map((lane) => laneSchema(queueSchema, lane));
}

/** Throws RangeError for a name that is too long or would need quotes. */
export function checkedName(queueSchema: string): string {
  if (plainName.test(queueSchema)) return queueSchema;
  throw new RangeError(
    "QUEUE_SCHEMA must be at most 40 characters of a-z, 0-9 and _, and must not begin with a digit or with pg_.",
  );
}
