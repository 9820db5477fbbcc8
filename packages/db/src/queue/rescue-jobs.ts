import { reportLanes, type ReportLane } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { bigint, pgSchema, type PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { ago, isPast, isRecent } from "../database/interval.ts";
import { laneSchema } from "./queue-schema.ts";

export interface LaneJobs {
  readonly lane: ReportLane;
  /** graphile-worker's private table. graphile-worker has no function to free jobs of dead workers. */
  readonly table: PgTable;
}

/** Returns the job table of each lane. Throws RangeError if the schema's name would need quotes. */
export function laneJobs(queueSchema: string): readonly LaneJobs[] {
  return reportLanes.map((lane) => ({
    lane,
    table: pgSchema(laneSchema(queueSchema, lane)).table("_private_jobs", { id: bigint({ mode: "number" }) }),
  }));
}

/**
 * Unlocks the jobs of pools without a recent heartbeat, which graphile-worker would keep locked for four hours. Locks younger than
 * `deadAfterMs` stay, because their worker may not have written its first heartbeat yet. Returns the number of pools.
 */
export async function unlockDeadPools(queries: Queries, jobs: LaneJobs, deadAfterMs: number): Promise<number> {
  const rows = await queries.execute(sql`
    with dead as (
      select distinct job.locked_by from ${jobs.table} as job
      where job.locked_at < ${ago(deadAfterMs)}
        and not exists (
          select from worker_heartbeats as worker
          where job.locked_by = any (worker.pool_ids) and ${isRecent(sql`worker.beat_at`, deadAfterMs)}
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
 * Unlocks jobs that a running worker has locked without knowing, because the response to its query was lost with the connection. A worker
 * claims the report of a job, or ends the job of an ended report, within seconds. These jobs have been locked for longer than `olderThanMs`
 * without either. Returns their number.
 */
export async function unlockUnclaimedJobs(queries: Queries, jobs: LaneJobs, olderThanMs: number): Promise<number> {
  const rows = await queries.execute(sql`
    update ${jobs.table} as job set locked_at = null, locked_by = null
    from reports as report
    where job.locked_at < ${ago(olderThanMs)}
      and report.id = job_report_id(job.payload) and report.status <> 'RUNNING'
      and ${isPast(sql`report.updated_at`, olderThanMs)}
    returning job.id`);
  return rows.length;
}

/** Removes jobs that have no attempts left, such as those whose key a newer job has taken. Returns their number. */
export async function removeExhaustedJobs(queries: Queries, jobs: LaneJobs): Promise<number> {
  const rows = await queries.execute(sql`
    delete from ${jobs.table} where id in (
      select id from ${jobs.table} where locked_at is null and attempts >= max_attempts limit 1000 for update skip locked
    ) returning id`);
  return rows.length;
}

/** Creation time (as Postgres's text) and ID of the report that was checked last. */
export type WalkPosition = readonly [createdAt: string, id: string];

const sliceRowSchema = z.object({
  jobless: z.array(z.string()).nullable(),
  seen: z.coerce.number(),
  createdAt: z.string().nullable(),
  id: z.string().nullable(),
});

export interface JoblessWalk {
  /** Excludes younger reports, whose start may still be in progress. */
  readonly olderThanMs: number;
  /** How many queued reports are checked. */
  readonly slice: number;
  /** Maximum number of reports returned. If it is reached, the next call starts at the same position. */
  readonly batch: number;
  readonly after: WalkPosition | null;
}

/** Returns reports of a slice of the queued ones that have no job, or only one without attempts left. `next` is the position after the slice; null at the end of the queue. */
export async function findReportsWithoutJob(
  queries: Queries,
  jobs: LaneJobs,
  { olderThanMs, slice, batch, after }: JoblessWalk,
): Promise<{ readonly ids: readonly string[]; readonly next: WalkPosition | null }> {
  const afterPosition =
    after === null ? sql`` : sql`and (created_at, id) > (${after[0]}::timestamp with time zone, ${after[1]}::uuid)`;
  const [row] = await queries.execute(sql`
    with slice as materialized (
      select id, created_at, updated_at from reports
      where status = 'QUEUED' and deleted_at is null and lane = ${jobs.lane} ${afterPosition}
      order by created_at, id limit ${slice}
    ), jobless as (
      select id from slice
      where ${isPast(sql`updated_at`, olderThanMs)} and not exists (
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
