import type { LostAttempt, RescueOutcome, LostAttemptRescuer } from "@reports/core/report";
import type { ReportLane } from "@reports/core/base";
import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { enqueueReports } from "../queue/queue.ts";
import {
  findReportsWithoutJob,
  laneJobTables,
  removeExhaustedJobs,
  unlockJobsOfDeadPools,
  unlockUnclaimedJobs,
  type QueuedReportPosition,
} from "../queue/rescue-jobs.ts";
import {
  addReportEvents,
  initialProgressColumns,
  endedReportColumns,
  clearedLeaseColumns,
  systemActor,
  updateReport,
  type TransitionedReport,
  type ReportUpdate,
} from "./report-transitions.ts";
import { joinByComma } from "../relations/relation.ts";
import { repairFutureTimes } from "./clock-repairs.ts";
import { reports } from "../schema/reports.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";

/** ID of the advisory lock of rescues. All releases must use the same ID, because their workers run at the same time during an update. */
const rescueLock = 7_217_311_807;
const maxLostReports = 200;
/** Number of queued reports per lane whose jobs a pass checks. Each worker makes a pass every 8 s. */
const sliceSize = 500;

/** Compares times with Postgres's clock only. Throws RangeError if the queue schema's name would need quotes. */
export function createLostAttemptRescuer(
  database: Database,
  options: {
    readonly queueSchema: string;
    readonly now?: () => number;
  },
): LostAttemptRescuer {
  const lanes = laneJobTables(options.queueSchema);
  const wasSetForward = createJumpWatch(options.now);
  const walked = new Map<ReportLane, QueuedReportPosition | null>();
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
        // After Postgres's clock was set forward, every worker seems dead until its next heartbeat. So this pass rescues nothing.
        if (isJump) return emptyOutcome;
        const requeued: string[] = [];
        const failed: LostReport[] = [];
        const transitions: TransitionedReport[] = [];
        for (const lost of await lockLost(tx)) {
          const verdict = decide(lost, now);
          const failureChanges = { ...clearedLeaseColumns, failures: lost.failures + (verdict.spendsFailure ? 1 : 0) };
          if (verdict.kind === "fail") {
            const { code, detail, retryable } = verdict.failure;
            const error = { errorCode: code, errorDetail: detail, errorRetryable: retryable };
            transitions.push(
              ...(await updateLost(tx, lost, { ...endedReportColumns, ...failureChanges, ...error, status: "FAILED" })),
            );
            failed.push(lost);
          } else {
            const { lane, losses } = verdict;
            transitions.push(
              ...(await updateLost(tx, lost, {
                ...failureChanges,
                ...initialProgressColumns,
                lane,
                losses,
                status: "QUEUED",
              })),
            );
            requeued.push(lost.id);
          }
        }
        await addReportEvents(tx, transitions, { from: "RUNNING", actor: systemActor });
        let [unlockedPools, unlockedJobs, removedJobs] = [0, 0, 0];
        const jobless: string[] = [];
        for (const jobs of lanes) {
          unlockedPools += await unlockJobsOfDeadPools(tx, jobs, limits.deadAfterMs);
          unlockedJobs += await unlockUnclaimedJobs(tx, jobs, limits.deadAfterMs);
          removedJobs += await removeExhaustedJobs(tx, jobs);
          const after = positions.get(jobs.lane) ?? null;
          const walk = { olderThanMs: limits.joblessAfterMs, slice: sliceSize, batch: maxLostReports, after };
          const { ids, next } = await findReportsWithoutJob(tx, jobs, walk);
          positions.set(jobs.lane, next);
          jobless.push(...ids);
        }
        await enqueueReports(tx, [...requeued, ...jobless], { minMs: 0, maxMs: limits.maxBackoffMs });
        return { requeued, failed, jobless, unlockedPools, unlockedJobs, removedJobs };
      });
      // The outcome is null if another worker has the advisory lock. Then, and after a rollback (which throws), this worker keeps its old positions.
      if (outcome !== null) for (const [lane, position] of positions) walked.set(lane, position);
      return outcome;
    },
  };
}

const emptyOutcome: RescueOutcome = {
  requeued: [],
  failed: [],
  jobless: [],
  unlockedPools: 0,
  unlockedJobs: 0,
  removedJobs: 0,
};

/** A pass can wait almost this long for its connection and first result. A shorter limit would mistake such a wait for a jump of the clock. */
const minJumpMs = 12_000;

function createJumpWatch(monotonic = () => performance.now()): (now: Date) => boolean {
  let lead: number | null = null;
  return (now) => {
    const before = lead;
    lead = now.getTime() - monotonic();
    return before !== null && lead - before > minJumpMs;
  };
}

/** Turns off plans that scan whole tables or indexes. A table may have grown by 100,000 rows since Postgres last counted them. */
const byIndexOnly = joinByComma(
  ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_sort"].map(
    (plan) => sql`set_config(${plan}, 'off', true)`,
  ),
);

type LostReport = LostAttempt & RescueOutcome["failed"][number];

/** Locks running reports with an expired lease, so that no worker claims or extends them. Rows that are already locked are left to the next pass. */
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
    // Only active running reports have a worker ID. Conditions on their status could make Postgres read an index of all queued reports.
    .where(and(isNotNull(reports.workerId), lt(reports.leaseExpiresAt, sql`clock_timestamp()`)))
    .orderBy(reports.leaseExpiresAt)
    .limit(maxLostReports)
    .for("update", { skipLocked: true });
  return rows.filter(({ status, deletedAt }) => status === "RUNNING" && deletedAt === null);
}

async function updateLost(
  tx: Queries,
  lost: LostAttempt,
  changes: ReportUpdate,
): Promise<readonly TransitionedReport[]> {
  const row = await updateReport(
    tx,
    and(eq(reports.id, lost.id), eq(reports.attempt, lost.attempt), eq(reports.status, "RUNNING")),
    changes,
  );
  return row === null ? [] : [row];
}
