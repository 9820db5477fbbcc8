import { and, isNotNull, sql } from "drizzle-orm";
import { timeFromNowSql, isFuture } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import type { LaneJobTable } from "../queue/rescue-jobs.ts";
import { reports } from "../schema/reports.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";

const jobsPerPass = 5_000;
const now = sql`clock_timestamp()`;

/** After Postgres's clock was set back, reduces future times to the present. Otherwise dead workers would seem alive and jobs would wait. */
export async function repairFutureTimes(tx: Queries, lanes: readonly LaneJobTable[], leaseMs: number): Promise<void> {
  await tx.update(workerHeartbeats).set({ heartbeatAt: now }).where(isFuture(workerHeartbeats.heartbeatAt));
  const { leaseExpiresAt, workerId } = reports;
  await tx
    .update(reports)
    .set({ leaseExpiresAt: timeFromNowSql(leaseMs) })
    .where(and(isNotNull(workerId), isFuture(leaseExpiresAt, leaseMs)));
  for (const jobs of lanes) await repairJobs(tx, jobs);
  await repairDeliveries(tx);
}

/** Moves the due times of all future jobs by the same amount, so that jobs keep their order and their delays. */
async function repairJobs(tx: Queries, { table }: LaneJobTable): Promise<void> {
  await tx.execute(
    sql`update ${table} set locked_at = ${now} where locked_at is not null and ${isFuture(sql`locked_at`)}`,
  );
  await tx.execute(sql`
    with ahead as materialized (
      select id, updated_at from ${table} where is_available and run_at > now() order by run_at desc limit ${jobsPerPass}
    ), late as materialized (
      select id, max(updated_at) over () - ${now} as jump from ahead where ${isFuture(sql`updated_at`)}
    )
    update ${table} as job set run_at = job.run_at - late.jump, updated_at = job.updated_at - late.jump
    from late where job.id = late.id`);
}

async function repairDeliveries(tx: Queries): Promise<void> {
  // The index on created_at serves now() but not clock_timestamp(). Its range after now() is nearly always empty.
  await tx.execute(sql`
    update ${webhookDeliveries} set next_try_at = ${now}
    where created_at > now() and status = 'PENDING' and tries = 0 and ${isFuture(sql`created_at`)} and ${isFuture(sql`next_try_at`)}`);
  await tx.update(webhooks).set({ triedAt: now }).where(isFuture(webhooks.triedAt));
}
