import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, waitFor } from "@reports/testing";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkRecords } from "../check/invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readJobs, readDatabaseState } from "../check/database-state.ts";
import { createLoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Maximum ms until a worker is ready. It starts slowly on a busy machine. */
const startMs = 180_000;

/** Slots per worker. With many slots, several jobs are about to end when the worker gets SIGTERM. */
const slots = "6";
/** Delay in ms on the connection to Postgres while a worker stops. A write that the worker does not await is then lost, which the checks notice. */
const slowMs = 100;

export const gracefulExitsScenario: Scenario = async (parameters, say) => {
  const { seed, times, clients } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 0 });
  // After SIGTERM, the first worker waits up to 6 s for running reports. The second one requeues them immediately.
  const workers = [
    await stand.addWorker({ SHUTDOWN_GRACE_SECONDS: "6", WORKER_CONCURRENCY: slots }),
    await stand.addWorker({ SHUTDOWN_GRACE_SECONDS: "0", WORKER_CONCURRENCY: slots }),
  ];
  const random = createSeededRandom(seed, 5, 0);
  const ledger = createLedger();
  const caller = createLoadClient(stand, seed);
  const violations: (readonly [null, string])[] = [];
  let done = 0;
  const isOver = (): boolean => done >= times;
  const load = runLoad(stand, caller, ledger, {
    seed,
    clients,
    patienceMs: parameters.patienceSeconds * 1000,
    isOver,
  });
  while (!isOver()) {
    const worker = workers[done % workers.length]!;
    worker.start();
    await worker.ready(startMs);
    await waitFor(async () => (await readJobs(stand)).some(({ locked }) => locked), {
      what: "the worker to take a job",
      timeoutMs: 60_000,
      intervalMs: 50,
    });
    await wait(random.integer(0, 2_500));
    await stand.database.proxy.set({ kind: "delay", ms: slowMs });
    const code = await worker.stop();
    await stand.database.proxy.set({ kind: "none" });
    done++;
    const problems = [...(code === 0 ? [] : [`exit code ${code}`]), ...(await findLeftovers(stand))];
    violations.push(...problems.map((problem) => [null, `exit ${done} (${worker.name}): ${problem}`] as const));
    if (done % 10 === 0) say(`${done} of ${times} exits`);
  }
  for (const worker of workers) worker.start();
  await load;
  await endFaultsAndWaitUntilIdle(stand, 120_000);
  const snapshot = await readDatabaseState(stand);
  return {
    snapshot,
    folder: stand.folder,
    figures: [`${done} exits, ${snapshot.records.size} reports`],
    findings: [
      createInvariantResult(
        "G1",
        "a worker that gets SIGTERM exits with 0 and leaves no lock, no running report, no heartbeat row and no scratch file",
        `${done} exits`,
        violations,
      ),
      ...checkRecords(ledger, snapshot),
    ],
  };
};

/** Returns one text per kind of leftover. Call it only while no worker runs. */
async function findLeftovers(stand: TortureStand): Promise<string[]> {
  const locked = (await readJobs(stand)).filter((job) => job.locked);
  const [rows] = await stand.sql<{ running: number; heartbeats: number }[]>`
    select (select count(*) from reports where status = 'RUNNING')::int as running,
      (select count(*) from worker_heartbeats)::int as heartbeats`;
  const scratch = readdirSync(join(stand.folder, "spool"));
  return [
    ...(locked.length > 0 ? [`${locked.length} jobs locked`] : []),
    ...(rows!.running > 0 ? [`${rows!.running} reports RUNNING`] : []),
    ...(rows!.heartbeats > 0 ? [`${rows!.heartbeats} heartbeat rows`] : []),
    ...(scratch.length > 0 ? [`scratch ${scratch.join(", ")}`] : []),
  ];
}
