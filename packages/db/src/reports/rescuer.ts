import type { LostAttempt, RescueLimits, RescueOutcome, Rescuer } from "@reports/core/report";
import type { ReportLane } from "@reports/core/base";
import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { enqueueReports } from "../queue/queue.ts";
import {
  findReportsWithoutJob,
  laneJobs,
  removeExhaustedJobs,
  unlockDeadPools,
  unlockUnclaimedJobs,
  type WalkPosition,
} from "../queue/rescue-jobs.ts";
import {
  addEvents,
  resetProgress,
  ended,
  released,
  systemActor,
  updateReport,
  type EventRow,
  type ReportUpdate,
} from "./report-transitions.ts";
import { repairFutureTimes } from "./clock-repairs.ts";
import { reports } from "../schema/reports.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";

/** An arbitrary constant, which must never change. */
const rescueLock = 7_217_311_807;
/** Reports per pass; the next pass gets the rest. */
const batch = 200;
/** Waiting reports of a lane whose job a pass checks. Every worker makes a pass every 8 s. */
const slice = 500;

/** Uses Postgres's clock and locks. Throws RangeError for a schema name that would need quotes. */
export function createRescuer(
  database: Database,
  options: {
    readonly queueSchema: string;
    /** Monotonic ms; default the process's clock. */
    readonly now?: () => number;
  },
): Rescuer {
  const lanes = laneJobs(options.queueSchema);
  const wasSetForward = createJumpWatch(options.now);
  const walked = new Map<ReportLane, WalkPosition | null>();
  return {
    rescue: async (decide, limits) => {
      const positions = new Map(walked);
      const outcome = await database.transaction(async (tx) => {
        const [lock] = await tx.execute<{ held: boolean; now: string }>(
          sql`select pg_try_advisory_xact_lock(${rescueLock}::bigint) as held, clock_timestamp()::text as now`,
        );
        const now = new Date(lock!.now);
        const isJump = wasSetForward(now);
        if (!lock!.held) return null;
        await tx.execute(sql`select ${byIndexOnly}`);
        await repairFutureTimes(tx, lanes, limits.deadAfterMs);
        // Every worker seems dead until its next heartbeat.
        if (isJump) return noOutcome;
        const requeued: string[] = [];
        const failed: LostReport[] = [];
        const transitions: EventRow[] = [];
        for (const lost of await lockLost(tx)) {
          const verdict = decide(lost, now);
          const failureChanges = { ...released, failures: lost.failures + (verdict.spendsFailure ? 1 : 0) };
          if (verdict.kind === "fail") {
            const { code, detail, retryable } = verdict.failure;
            const error = { errorCode: code, errorDetail: detail, errorRetryable: retryable };
            transitions.push(
              ...(await updateLost(tx, lost, { ...ended, ...failureChanges, ...error, status: "FAILED" })),
            );
            failed.push(lost);
          } else {
            const { lane, losses } = verdict;
            transitions.push(
              ...(await updateLost(tx, lost, { ...failureChanges, ...resetProgress, lane, losses, status: "QUEUED" })),
            );
            requeued.push(lost.id);
          }
        }
        await addEvents(tx, transitions, { from: "RUNNING", actor: systemActor });
        let [unlockedPools, unlockedJobs, removedJobs] = [0, 0, 0];
        const jobless: string[] = [];
        for (const jobs of lanes) {
          unlockedPools += await unlockDeadPools(tx, jobs, limits.deadAfterMs);
          unlockedJobs += await unlockUnclaimedJobs(tx, jobs, limits.deadAfterMs);
          removedJobs += await removeExhaustedJobs(tx, jobs);
          const after = positions.get(jobs.lane) ?? null;
          const walk = { olderThanMs: limits.joblessAfterMs, slice, batch, after };
          const { ids, next } = await findReportsWithoutJob(tx, jobs, walk);
          positions.set(jobs.lane, next);
          jobless.push(...ids);
        }
        await enqueueReports(tx, [...requeued, ...jobless], backoffOf(limits));
        return { requeued, failed, jobless, unlockedPools, unlockedJobs, removedJobs };
      });
      // Rolled back work, or another worker's, is checked again.
      if (outcome !== null) for (const [lane, position] of positions) walked.set(lane, position);
      return outcome;
    },
  };
}

const noOutcome: RescueOutcome = {
  requeued: [],
  failed: [],
  jobless: [],
  unlockedPools: 0,
  unlockedJobs: 0,
  removedJobs: 0,
};

/** Longer than a pass waits for its connection and first result. */
const jumpMs = 12_000;

/** Reports whether Postgres's clock was set forward since the last call. */
function createJumpWatch(monotonic = () => performance.now()): (now: Date) => boolean {
  let lead: number | null = null;
  return (now) => {
    const before = lead;
    lead = now.getTime() - monotonic();
    return before !== null && lead - before > jumpMs;
  };
}

/** Rules out scans of whole tables and indexes, which may have grown by 100,000 rows since the last analyse. */
const byIndexOnly = sql.join(
  ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_sort"].map(
    (plan) => sql`set_config(${plan}, 'off', true)`,
  ),
  sql`, `,
);

function backoffOf({ maxBackoffMs }: RescueLimits) {
  return { minMs: 0, maxMs: maxBackoffMs };
}

type LostReport = LostAttempt & RescueOutcome["failed"][number];

/** Locked against claims and heartbeats of a waking worker; rows that are locked already wait for the next pass. */
async function lockLost(tx: Queries): Promise<readonly LostReport[]> {
  const rows = await tx
    .select({
      id: reports.id,
      reportType: reports.reportType,
      options: reports.options,
      status: reports.status,
      deletedAt: reports.deletedAt,
      attempt: reports.attempt,
      failures: reports.failures,
      maxFailures: reports.maxFailures,
      createdAt: reports.createdAt,
      lane: reports.lane,
      losses: reports.losses,
      byDeploy: sql<boolean>`exists (select from ${workerHeartbeats} where ${workerHeartbeats.workerId} = ${reports.workerId} and ${workerHeartbeats.stoppingAt} is not null)`,
    })
    .from(reports)
    // Only running, undeleted reports have a worker. Conditions for that would make indexes with all waiting reports attractive.
    .where(and(isNotNull(reports.workerId), lt(reports.leaseExpiresAt, sql`clock_timestamp()`)))
    .orderBy(reports.leaseExpiresAt)
    .limit(batch)
    .for("update", { skipLocked: true });
  return rows.filter(({ status, deletedAt }) => status === "RUNNING" && deletedAt === null);
}

async function updateLost(tx: Queries, lost: LostAttempt, changes: ReportUpdate): Promise<readonly EventRow[]> {
  const row = await updateReport(
    tx,
    and(eq(reports.id, lost.id), eq(reports.attempt, lost.attempt), eq(reports.status, "RUNNING")),
    changes,
  );
  return row === null ? [] : [row];
}
