import { reportLanes, type ReportLane } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { bigint, pgSchema, type PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { timeAgoSql, isOlderThan, isYoungerThan } from "../database/interval-sql.ts";
import { laneSchemaName } from "./queue-schema.ts";

export interface LaneJobTable {
  readonly lane: ReportLane;
  /** A private table of graphile-worker, which has no public function to unlock jobs of dead workers. */
  readonly table: PgTable;
}

export function laneJobTables(queueSchema: string): readonly LaneJobTable[] {
  return reportLanes.map((lane) => ({
    lane,
    table: pgSchema(laneSchemaName(queueSchema, lane)).table("_private_jobs", { id: bigint({ mode: "number" }) }),
  }));
}

/**
 * Unlocks jobs of graphile-worker pools without a recent heartbeat, for which graphile-worker itself would wait four hours. Keeps locks younger than
 * `deadAfterMs`, because a new worker may not have written a heartbeat yet. Returns the number of pools.
 */
export async function unlockJobsOfDeadPools(
  queries: Queries,
  jobs: LaneJobTable,
  deadAfterMs: number,
): Promise<number> {
  const rows = await queries.execute(sql`
    with dead as (
      select distinct job.locked_by from ${jobs.table} as job
      where job.locked_at < ${timeAgoSql(deadAfterMs)}
        and not exists (
          select from worker_heartbeats as worker
          where job.locked_by = any (worker.pool_ids) and ${isYoungerThan(sql`worker.beat_at`, deadAfterMs)}
        )
    ), freed as (
      update ${jobs.table} as job set locked_at = null, locked_by = null from dead
      where job.locked_at is not null and job.locked_by = dead.locked_by
      returning dead.locked_by as pool
    )
    select count(distinct pool)::int as freed from freed`);
  return Number(rows[0]!["freed"]);
}

/**
 * Unlocks jobs that a worker locked without learning it, because its connection was lost before the response. A worker claims a locked job's report
 * within seconds. So a lock older than `olderThanMs` on a report that is not running has no worker. Returns the number of jobs.
 */
export async function unlockUnclaimedJobs(queries: Queries, jobs: LaneJobTable, olderThanMs: number): Promise<number> {
  const rows = await queries.execute(sql`
    update ${jobs.table} as job set locked_at = null, locked_by = null
    from reports as report
    where job.locked_at < ${timeAgoSql(olderThanMs)}
      and report.id = job_report_id(job.payload) and report.status <> 'RUNNING'
      and ${isOlderThan(sql`report.updated_at`, olderThanMs)}
    returning job.id`);
  return rows.length;
}

/**
 * Removes jobs without remaining attempts, at most 1,000, and returns their number. A job loses its remaining attempts when a newer job takes over
 * its key.
 */
export async function removeExhaustedJobs(queries: Queries, jobs: LaneJobTable): Promise<number> {
  const rows = await queries.execute(sql`
    delete from ${jobs.table} where id in (
      select id from ${jobs.table} where locked_at is null and attempts >= max_attempts limit 1000 for update skip locked
    ) returning id`);
  return rows.length;
}

/** The report that was checked last. `createdAt` is Postgres's text of a timestamptz, because a Date would lose its microseconds. */
export type QueuedReportPosition = readonly [createdAt: string, id: string];

const sliceRowSchema = z.object({
  jobless: z.array(z.string()).nullable(),
  seen: z.coerce.number(),
  createdAt: z.string().nullable(),
  id: z.string().nullable(),
});

export interface MissingJobSearch {
  /** Ignores younger reports, because the transaction that adds their job may not have ended yet. */
  readonly olderThanMs: number;
  readonly slice: number;
  /** Maximum number of reports to return. If a call reaches it, the next call starts at the same position. */
  readonly batch: number;
  readonly after: QueuedReportPosition | null;
}

/** Returns those of the next `slice` queued reports that have no runnable job. `next` is the next call's position; null at the end of the queue. */
export async function findReportsWithoutJob(
  queries: Queries,
  jobs: LaneJobTable,
  { olderThanMs, slice, batch, after }: MissingJobSearch,
): Promise<{ readonly ids: readonly string[]; readonly next: QueuedReportPosition | null }> {
  const afterPosition =
    after === null ? sql`` : sql`and (created_at, id) > (${after[0]}::timestamp with time zone, ${after[1]}::uuid)`;
  const [row] = await queries.execute(sql`
    with slice as materialized (
      select id, created_at, updated_at from reports
      where status = 'QUEUED' and deleted_at is null and lane = ${jobs.lane} ${afterPosition}
      order by created_at, id limit ${slice}
    ), jobless as (
      select id from slice
      where ${isOlderThan(sql`updated_at`, olderThanMs)} and not exists (
        select from ${jobs.table} as job
        where job.key = 'report:' || slice.id and (job.locked_at is not null or job.attempts < job.max_attempts)
      ) limit ${batch}
    )
    select (select array_agg(id::text) from jobless) as jobless, (select count(*) from slice) as seen,
      last.created_at::text as "createdAt", last.id::text as id
    from (select) as always left join (select created_at, id from slice order by created_at desc, id desc limit 1) as last on true`);
  const { jobless, seen, createdAt, id } = sliceRowSchema.parse(row);
  const ids = jobless ?? [];
  if (ids.length === batch) return { ids, next: after };
  return { ids, next: seen < slice ? null : [createdAt!, id!] };
}
