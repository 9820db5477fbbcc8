import { workerDeadAfterMs, type LaneLoad, type RunningWorker, type ServedTypeVersions } from "@reports/core/report";
import { reportLanes } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** Bounds of a job's delay. Each job gets a random delay between them, so that many jobs don't become due at the same moment. */
export interface EnqueueDelayRange {
  readonly minMs: number;
  readonly maxMs: number;
}

const enqueueStatement = prepareStatement(
  sql`select enqueue_reports(
    string_to_array(${sql.placeholder("ids")}, ',')::uuid[],
    ${sql.placeholder("minMs")}::double precision, ${sql.placeholder("maxMs")}::double precision)`,
);

export async function enqueueReports(
  queries: Queries,
  reportIds: readonly string[],
  { minMs, maxMs }: EnqueueDelayRange = { minMs: 0, maxMs: 0 },
): Promise<void> {
  if (reportIds.length === 0) return;
  await enqueueStatement(queries, { ids: reportIds.join(","), minMs, maxMs });
}

const removeStatement = prepareStatement(
  sql`select remove_report_jobs(string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`,
);

/** Removes the waiting jobs of ended reports, in the caller's transaction. A locked job stays, because its worker notices the end of the report. */
export async function removeReportJobs(queries: Queries, reportIds: readonly string[]): Promise<void> {
  await removeStatement(queries, { ids: reportIds.join(",") });
}

const laneLoadRowSchema = z.object({
  lane: z.enum(reportLanes),
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  oldestWaitMs: z.coerce.number().nullable(),
  workers: z.coerce.number(),
});

export async function readLaneLoads(queries: Queries, countAtMost = 2_000): Promise<readonly LaneLoad[]> {
  const rows = await queries.execute(sql`
    select lane, waiting, running, oldest_wait_ms as "oldestWaitMs", workers
    from report_queue_state(${countAtMost}::integer, ${workerDeadAfterMs}::double precision)`);
  return [...rows].map((row) => laneLoadRowSchema.parse(row));
}

const servedTypesRowSchema = z.object({ types: z.record(z.string(), z.number()).nullable() });

export async function readServedTypeVersions(queries: Queries): Promise<readonly (ServedTypeVersions | null)[]> {
  const rows = await queries.execute(
    sql`select types from report_types_served(${workerDeadAfterMs}::double precision)`,
  );
  return [...rows].map((row) => servedTypesRowSchema.parse(row).types);
}

const workerRowSchema = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  lanes: z.array(z.enum(reportLanes)),
  types: z.record(z.string(), z.number()).nullable(),
  running: z.coerce.number(),
  startedAt: z.coerce.date(),
  lastSeenAt: z.coerce.date(),
});

export async function readRunningWorkers(queries: Queries): Promise<readonly RunningWorker[]> {
  const rows = await queries.execute(sql`
    select id, host, version, lanes, types, running, started_at as "startedAt", beat_at as "lastSeenAt"
    from report_workers(${workerDeadAfterMs}::double precision)`);
  return [...rows].map((row) => {
    const { types, ...worker } = workerRowSchema.parse(row);
    return { ...worker, servedTypes: types };
  });
}

/** Returns the age in ms of the oldest snapshot of any session. Vacuum keeps rows that were deleted after it, which slows the queue. */
export async function readOldestDbSnapshotAgeMs(queries: Queries): Promise<number> {
  const rows = await queries.execute(sql`select report_oldest_snapshot_ms() as age`);
  return Number(rows[0]!["age"]);
}
