import { type Rescuer, type LostAttempt, type RescueLimits } from "@reports/core";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Database, Queries } from "./database.ts";
import {
  enqueueReports,
  findReportsWithoutJob,
  removeSpentJobs,
  unlockDeadPools,
  unlockUnclaimedJobs,
} from "./queue.ts";
import { addEvent, beginning, ended, released, updateReport, type ReportChanges } from "./report-transitions.ts";
import { reports } from "./schema/reports.ts";
import { workerHeartbeats } from "./schema/worker-heartbeats.ts";

/** Any constant will do; it must stay the same for ever. */
const rescueLock = 7_217_311_807;
/** Reports of one pass; what is left over is the next one's. */
const batch = 200;

/** The rescuer on Postgres: its clock, its locks. */
export function createRescuer(database: Database): Rescuer {
  return {
    rescue: (judge, limits) =>
      database.transaction(async (tx) => {
        const [turn] = await tx.execute<{ mine: boolean; now: string }>(
          sql`select pg_try_advisory_xact_lock(${rescueLock}::bigint) as mine, clock_timestamp()::text as now`,
        );
        if (!turn!.mine) return null;
        const now = new Date(turn!.now);
        const requeued: string[] = [];
        const failed: string[] = [];
        for (const lost of await lockLost(tx)) {
          const verdict = judge(lost, now);
          const spent = { ...released, failures: lost.failures + (verdict.spendsFailure ? 1 : 0) };
          if (verdict.kind === "fail") {
            const { code, detail, retryable } = verdict.failure;
            const error = { errorCode: code, errorDetail: detail, errorRetryable: retryable };
            await leave(tx, lost, { ...ended, ...spent, ...error, status: "FAILED" });
            failed.push(lost.id);
          } else {
            const { lane, losses } = verdict;
            await leave(tx, lost, { ...spent, ...beginning, lane, losses, status: "QUEUED" });
            requeued.push(lost.id);
          }
        }
        const unlockedPools = await unlockDeadPools(tx, limits.deadAfterMs);
        const unlockedJobs = await unlockUnclaimedJobs(tx, limits.deadAfterMs);
        const removedJobs = await removeSpentJobs(tx);
        const jobless = await findReportsWithoutJob(tx, limits.joblessAfterMs, batch);
        await enqueueReports(tx, [...requeued, ...jobless], backoffOf(limits));
        return { requeued, failed, jobless, unlockedPools, unlockedJobs, removedJobs };
      }),
  };
}

function backoffOf({ maxBackoffMs }: RescueLimits) {
  return { minMs: 0, maxMs: maxBackoffMs };
}

/** Locked, so that neither a claim nor a heartbeat of a worker that wakes comes in between; what is locked already is left for the next pass. */
async function lockLost(tx: Queries): Promise<readonly LostAttempt[]> {
  return tx
    .select({
      id: reports.id,
      attempt: reports.attempt,
      failures: reports.failures,
      maxFailures: reports.maxFailures,
      createdAt: reports.createdAt,
      lane: reports.lane,
      losses: reports.losses,
      byDeploy: sql<boolean>`exists (select from ${workerHeartbeats} where ${workerHeartbeats.workerId} = ${reports.workerId} and ${workerHeartbeats.stoppingAt} is not null)`,
    })
    .from(reports)
    .where(
      and(eq(reports.status, "RUNNING"), isNull(reports.deletedAt), lt(reports.leaseExpiresAt, sql`clock_timestamp()`)),
    )
    .orderBy(reports.leaseExpiresAt)
    .limit(batch)
    .for("update", { skipLocked: true });
}

async function leave(tx: Queries, lost: LostAttempt, changes: ReportChanges): Promise<void> {
  const row = await updateReport(
    tx,
    and(eq(reports.id, lost.id), eq(reports.attempt, lost.attempt), eq(reports.status, "RUNNING")),
    changes,
  );
  if (row !== null) await addEvent(tx, row, "RUNNING");
}
