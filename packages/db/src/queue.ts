import { reportLanes, runReportTask, type ReportLane } from "@reports/core";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "./database.ts";
import { prepareStatement } from "./prepare-statement.ts";

/** When the jobs that are enqueued may run: after a moment between the two, so that many at once do not come back at once. */
export interface EnqueueDelay {
  readonly minMs: number;
  readonly maxMs: number;
}

const enqueue = prepareStatement(
  "enqueue_reports",
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

/** What waits in the queue. */
export interface QueueState {
  /** Jobs that could run now. */
  readonly waiting: number;
  /** Jobs that some worker holds. */
  readonly running: number;
  /** How long the oldest waiting job could have run already; null when none waits. */
  readonly oldestWaitMs: number | null;
}

const queueStateRow = z.object({
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  oldestWaitMs: z.coerce.number().nullable(),
});

const laneStateRow = queueStateRow.extend({ lane: z.enum(reportLanes) });

const isDue = sql`job.locked_at is null and job.run_at <= now() and job.attempts < job.max_attempts`;
const queueStateColumns = sql`
  count(*) filter (where ${isDue}) as "waiting",
  count(*) filter (where job.locked_at is not null) as "running",
  (extract(epoch from now() - min(job.run_at) filter (where ${isDue})) * 1000)::bigint as "oldestWaitMs"`;

/** Depth and age of the queue; for metrics and for shedding load. Counting stops at `countAtMost`. */
export async function readQueueState(queries: Queries, countAtMost = 100_000): Promise<QueueState> {
  // A function of ours, because the API's role has no right to the queue's own tables.
  const rows = await queries.execute(
    sql`select waiting, running, oldest_wait_ms as "oldestWaitMs" from report_queue_state(${countAtMost}::integer)`,
  );
  return queueStateRow.parse(rows[0]);
}

/** The same by lane; lanes in which nothing waits or runs are left out. */
export async function readLaneStates(
  queries: Queries,
): Promise<readonly (QueueState & { readonly lane: ReportLane })[]> {
  const rows = await queries.execute(sql`
    select lane, ${queueStateColumns}
    from graphile_worker.jobs as job cross join lateral jsonb_object_keys(job.flags) as lane
    where job.task_identifier = ${runReportTask} group by lane`);
  return [...rows].map((row) => laneStateRow.parse(row));
}

/**
 * Frees jobs whose pool stands in no living heartbeat row: graphile-worker itself would keep them locked for four hours.
 * A lock younger than `deadAfterMs` may belong to a worker whose first heartbeat is under way. Says how many pools were freed.
 */
export async function unlockDeadPools(queries: Queries, deadAfterMs: number): Promise<number> {
  const rows = await queries.execute(sql`
    with dead as (
      select distinct job.locked_by from graphile_worker.jobs as job
      where job.locked_at < clock_timestamp() - ${interval(deadAfterMs)}
        and not exists (
          select from worker_heartbeats as worker
          where job.locked_by = any (worker.pool_ids) and worker.beat_at > clock_timestamp() - ${interval(deadAfterMs)}
        )
    )
    select count(*)::int as freed, graphile_worker.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`);
  return Number(rows[0]?.["freed"] ?? 0);
}

/**
 * Frees jobs that a living worker holds and does not run: the answer with which it took them was lost together with its connection,
 * and it does not know of them. Whoever takes a job claims its report within seconds, so that the report does not wait any more; a
 * report that is at its end lets go of its job as quickly. Longer than `olderThanMs`. Says how many were freed.
 */
export async function unlockUnclaimedJobs(queries: Queries, olderThanMs: number): Promise<number> {
  // graphile-worker has functions that free all jobs of a worker, and none that frees one.
  const rows = await queries.execute(sql`
    update graphile_worker._private_jobs as job set locked_at = null, locked_by = null
    from reports as report
    where job.locked_at < clock_timestamp() - ${interval(olderThanMs)}
      and report.id = (job.payload ->> 'reportId')::uuid and report.status <> 'RUNNING'
      and report.updated_at < clock_timestamp() - ${interval(olderThanMs)}
    returning job.id`);
  return rows.length;
}

/** Removes jobs that will never run again (their key went to a successor, or every try is used up). Says how many. */
export async function removeSpentJobs(queries: Queries): Promise<number> {
  const rows = await queries.execute(sql`
    with spent as (
      select id from graphile_worker.jobs
      where task_identifier = ${runReportTask} and locked_at is null and attempts >= max_attempts limit 1000
    )
    select count(*)::int as removed from spent cross join lateral graphile_worker.complete_jobs(array[spent.id])`);
  return Number(rows[0]?.["removed"] ?? 0);
}

/** Reports that wait and have no job, or one that will not run: longer than `olderThanMs`, so that no start under way is meant. */
export async function findReportsWithoutJob(
  queries: Queries,
  olderThanMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await queries.execute<{ id: string }>(sql`
    select report.id from reports as report
    where report.status = 'QUEUED' and report.deleted_at is null
      and report.updated_at < clock_timestamp() - ${interval(olderThanMs)}
      and not exists (
        select from graphile_worker.jobs as job
        where job.key = 'report:' || report.id and (job.locked_at is not null or job.attempts < job.max_attempts)
      )
    order by report.created_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Age in ms of the oldest snapshot that any session holds; what was deleted since cannot be cleaned up, which slows the queue down. */
export async function readOldestSnapshot(queries: Queries): Promise<number> {
  const rows = await queries.execute(sql`
    select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::float as age
    from pg_stat_activity where backend_xmin is not null and datname = current_database()`);
  return Number(rows[0]!["age"]);
}

function interval(ms: number) {
  return sql`make_interval(secs => ${ms / 1000}::double precision)`;
}
