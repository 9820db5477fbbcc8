import { deadAfterMs, type LaneLoad, type LivingWorker, type ServedTypes } from "@reports/core/report";
import { reportLanes } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

/** When the jobs that are enqueued may run: after a moment between the two, so that many at once do not come back at once. */
export interface EnqueueDelay {
  readonly minMs: number;
  readonly maxMs: number;
}

const enqueue = prepareStatement(
  sql`select enqueue_reports(
    string_to_array(${sql.placeholder("ids")}, ',')::uuid[],
    ${sql.placeholder("minMs")}::double precision, ${sql.placeholder("maxMs")}::double precision)`,
);

/** Sees to it that each of the reports that is QUEUED has its job, in the caller's transaction. */
export async function enqueueReports(
  queries: Queries,
  reportIds: readonly string[],
  { minMs, maxMs }: EnqueueDelay = { minMs: 0, maxMs: 0 },
): Promise<void> {
  if (reportIds.length === 0) return;
  await enqueue(queries, { ids: reportIds.join(","), minMs, maxMs });
}

const remove = prepareStatement(
  sql`select remove_report_jobs(string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`,
);

/**
 * Takes the waiting jobs of reports that are at their end out of the queue, in the caller's transaction. Reports that are still to run
 * keep theirs, and a worker that holds one finds out by itself.
 */
export async function removeJobs(queries: Queries, reportIds: readonly string[]): Promise<void> {
  await remove(queries, { ids: reportIds.join(",") });
}

const laneLoadRow = z.object({
  lane: z.enum(reportLanes),
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  oldestWaitMs: z.coerce.number().nullable(),
  workers: z.coerce.number(),
});

/** What waits and runs in each lane, and who serves it; for metrics and for shedding load. Counting stops at `countAtMost` a lane. */
export async function readLaneLoads(queries: Queries, countAtMost = 2_000): Promise<readonly LaneLoad[]> {
  // A function of ours, because the API's role has no right to the queue's own tables.
  const rows = await queries.execute(sql`
    select lane, waiting, running, oldest_wait_ms as "oldestWaitMs", workers
    from report_queue_state(${countAtMost}::integer, ${deadAfterMs}::double precision)`);
  return [...rows].map((row) => laneLoadRow.parse(row));
}

const servedTypesRow = z.object({ types: z.record(z.string(), z.number()).nullable() });

/** What the living workers say that they can run, without repeats; null of one that is too old to say it. */
export async function readServedTypes(queries: Queries): Promise<readonly (ServedTypes | null)[]> {
  const rows = await queries.execute(sql`select types from report_types_served(${deadAfterMs}::double precision)`);
  return [...rows].map((row) => servedTypesRow.parse(row).types);
}

const workerRow = z.object({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  lanes: z.array(z.enum(reportLanes)),
  types: z.record(z.string(), z.number()).nullable(),
  running: z.coerce.number(),
  startedAt: z.coerce.date(),
  lastSeenAt: z.coerce.date(),
});

/** The workers that live, the oldest first, 1,000 at most. */
export async function readWorkers(queries: Queries): Promise<readonly LivingWorker[]> {
  const rows = await queries.execute(sql`
    select id, host, version, lanes, types, running, started_at as "startedAt", beat_at as "lastSeenAt"
    from report_workers(${deadAfterMs}::double precision)`);
  return [...rows].map((row) => {
    const { types, ...worker } = workerRow.parse(row);
    return { ...worker, servedTypes: types };
  });
}

/** Age in ms of the oldest snapshot that any session holds; what was deleted since cannot be cleaned up, which slows the queue down. */
export async function readOldestSnapshot(queries: Queries): Promise<number> {
  // A function of the owner's, because other sessions are nothing to the roles of the API and the worker.
  const rows = await queries.execute(sql`select report_oldest_snapshot_ms() as age`);
  return Number(rows[0]!["age"]);
}
