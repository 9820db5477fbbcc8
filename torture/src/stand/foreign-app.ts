import { setTimeout as wait } from "node:timers/promises";
import { run, runMigrations } from "graphile-worker";
import { waitFor } from "@reports/testing";
import { createInvariantResult, type InvariantResult } from "../check/invariant-result.ts";
import { repeatEvery } from "./repeat-every.ts";
import type { TortureStand } from "./torture-stand.ts";

const task = "another_apps_task";
const jobs = 3;
/** Ms that a job takes. It exceeds the time after which the service rescues jobs of a worker without heartbeats. */
const workMs = 75_000;

const claim = "another app's jobs run once, and stay locked while they run";
const holder = "another app's worker";

export async function lockForeignJobs(stand: TortureStand): Promise<() => Promise<InvariantResult>> {
  const { database, sql, retryingSql } = stand;
  await runMigrations({ connectionString: database.url });
  for (let number = 1; number <= jobs; number++) {
    await sql`select graphile_worker.add_job(${task}, '{"reportId":"nonsense"}'::json)`;
  }
  await sql`update graphile_worker._private_jobs set locked_at = clock_timestamp(), locked_by = ${holder}, attempts = 1`;
  return async () => {
    const kept = await retryingSql`
      select from graphile_worker._private_jobs where locked_by = ${holder} and attempts = 1`;
    const lost = jobs - kept.length;
    return createInvariantResult(
      "Q2",
      claim,
      `${jobs} jobs`,
      lost > 0 ? [[null, `${lost} are no longer locked by its worker`]] : [],
    );
  };
}

/**
 * Runs another app in the default schema of graphile-worker. Its payloads look like those of the service. Resolves with a function that ends and
 * checks it.
 */
export async function runForeignApp(stand: TortureStand): Promise<() => Promise<readonly InvariantResult[]>> {
  const begun = new Map<string, number>();
  let done = 0;
  const runner = await run({
    connectionString: stand.database.url,
    concurrency: jobs + 2,
    noHandleSignals: true,
    pollInterval: 500,
    taskList: {
      async [task](_payload, { job }) {
        begun.set(job.id, (begun.get(job.id) ?? 0) + 1);
        await wait(workMs);
        done++;
      },
    },
  });
  for (let number = 1; number <= jobs; number++) await runner.addJob(task, { reportId: "nonsense" });
  const unlocked = watchLocksOf(stand, () => done === 0 && begun.size === jobs);
  return async () => {
    await waitFor(() => done >= jobs, { what: "the other app's jobs", timeoutMs: 2 * workMs, intervalMs: 500 }).catch(
      () => undefined,
    );
    unlocked[Symbol.dispose]();
    await runner.stop();
    return [
      createInvariantResult("Q2", claim, `${jobs} jobs of ${workMs / 1000} s, ${unlocked.checks} checks`, [
        ...[...begun]
          .filter(([, times]) => times > 1)
          .map(([id, times]) => [null, `job ${id} ran ${times} times`] as const),
        ...(begun.size === jobs && done >= jobs ? [] : [[null, `${begun.size} began, ${done} ended`] as const]),
        ...(unlocked.most > 0 ? [[null, `${unlocked.most} jobs were not locked while they ran`] as const] : []),
      ]),
    ];
  };
}

function watchLocksOf({ sql }: TortureStand, isWorking: () => boolean) {
  const seen = { checks: 0, most: 0 };
  const repetition = repeatEvery(1_000, async () => {
    if (!isWorking()) return;
    const [row] = await sql<{ held: number }[]>`
      select count(*) filter (where locked_at is not null)::int as held from graphile_worker.jobs
      where task_identifier = ${task}`;
    seen.checks++;
    if (isWorking()) seen.most = Math.max(seen.most, jobs - row!.held);
  });
  return Object.assign(seen, repetition);
}
