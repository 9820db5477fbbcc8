import { reportLanes, type ReportLane } from "@reports/core/base";

/** Where the queue lives unless `QUEUE_SCHEMA` says otherwise. */
export const defaultQueueSchema = "report_queue";

/** Setting of a session by which enqueue_reports refuses a process whose `QUEUE_SCHEMA` is not the database's. */
export const queueSchemaSetting = "reports.queue_schema";

/** SQLSTATE of that refusal. */
export const otherQueueState = "QU001";

/** Needs no quotes in SQL, and leaves room for what a lane and graphile-worker put after it (63 bytes are Postgres's limit). */
const plainName = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;

/**
 * The schema of one lane. Each lane is an installation of graphile-worker of its own, so that no look for a job visits another lane's,
 * and none of them is anybody else's. Throws RangeError for a name that would need quotes.
 */
export function laneSchema(queueSchema: string, lane: ReportLane): string {
  return `${checkedName(queueSchema)}_${lane}`;
}

/** The schemas of all lanes, in the order of `reportLanes`. Throws RangeError for a name that would need quotes. */
export function laneSchemas(queueSchema: string): readonly string[] {
  return reportLanes.map((lane) => laneSchema(queueSchema, lane));
}

/** The name as it is. Throws RangeError when it would need quotes or is too long. */
export function checkedName(queueSchema: string): string {
  if (plainName.test(queueSchema)) return queueSchema;
  throw new RangeError(
    "QUEUE_SCHEMA must be at most 40 characters of a-z, 0-9 and _, and must not begin with a digit or with pg_.",
  );
}
