import { computeOutageMs, type Ledger } from "../load/ledger.ts";
import { repeatEvery } from "../stand/repeat-every.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

interface LockOfDeadWorker {
  readonly job: string;
  readonly pool: string;
  readonly seconds: number;
}

async function findLocksOfDeadWorkers({ retryingSql }: TortureStand): Promise<readonly LockOfDeadWorker[]> {
  return retryingSql<LockOfDeadWorker[]>`
    select job.lane || ' ' || job.id as job, job.locked_by as pool, extract(epoch from clock_timestamp() - job.locked_at)::float8 as seconds
    from report_queue.jobs as job
    where job.locked_at < clock_timestamp() - interval '60 seconds' and not exists (
      select from worker_heartbeats as worker
      where job.locked_by = any (worker.pool_ids) and worker.beat_at > clock_timestamp() - interval '60 seconds')`;
}

/**
 * Milliseconds after an outage of Postgres in which locks of dead workers are still ignored. Other workers can release such locks only while they
 * are connected.
 */
const afterOutageMs = 60_000;

export function watchDeadWorkerLocks(
  stand: TortureStand,
  ledger: Pick<Ledger, "outages">,
): Disposable & { check(): InvariantResult } {
  const seen = new Map<string, LockOfDeadWorker>();
  let checks = 0;
  const repetition = repeatEvery(5_000, async () => {
    const locks = await findLocksOfDeadWorkers(stand);
    checks++;
    if (computeOutageMs(ledger, Date.now() - afterOutageMs, Date.now()) > 0) return;
    for (const lock of locks) seen.set(`${lock.job} ${lock.pool}`, lock);
  });
  return {
    ...repetition,
    check: () =>
      createInvariantResult(
        "I6",
        "no job stays locked by a pool that had no heartbeat for 60 s",
        `${checks} checks`,
        [...seen.values()].map(({ job, pool, seconds }) => [
          null,
          `job ${job} was held by the dead ${pool} for ${Math.round(seconds)} s`,
        ]),
      ),
  };
}
