import { runReportTask } from "@reports/core";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "./database.ts";

/**
 * Adds a report's job to the caller's transaction. It must be the transaction's last statement: add_job takes the
 * queue's global notify lock, which is held until the commit.
 */
export async function addReportJob(
  queries: Queries,
  job: { readonly reportId: string; readonly traceparent: string | null; readonly delayMs?: number },
): Promise<void> {
  // json_build_object, because a text that is cast to json is encoded twice on some paths of postgres.js.
  await queries.execute(sql`
    select from graphile_worker.add_job(
      ${runReportTask}::text,
      json_strip_nulls(json_build_object('reportId', ${job.reportId}::text, 'traceparent', ${job.traceparent}::text)),
      run_at => now() + make_interval(secs => ${(job.delayMs ?? 0) / 1000}::double precision)
    )`);
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

/** Depth and age of the queue; for metrics and for shedding load. */
export async function readQueueState(queries: Queries): Promise<QueueState> {
  const rows = await queries.execute(sql`
    select
      count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts) as "waiting",
      count(*) filter (where locked_at is not null) as "running",
      (extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)) * 1000)::bigint as "oldestWaitMs"
    from graphile_worker.jobs
    where task_identifier = ${runReportTask}`);
  return queueStateRow.parse(rows[0]);
}

/** Frees the jobs that dead workers hold. `workerIds` are graphile-worker's own ids of the workers of a pool. */
export async function forceUnlockWorkers(queries: Queries, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  const ids = sql.join(
    workerIds.map((id) => sql`${id}::text`),
    sql`, `,
  );
  await queries.execute(sql`select graphile_worker.force_unlock_workers(array[${ids}])`);
}
