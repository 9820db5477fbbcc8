import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, signalIfRunning, waitFor, type SeededRandom } from "@reports/testing";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkAllInvariants, watchRun } from "../check/check-all-invariants.ts";
import { makeReferenceFiles, endFaultsAndMakeReferences } from "../check/reference-files.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { attemptFailpoints, type FailpointAction, type Failpoint } from "../failpoints.ts";
import { findAttemptsOfWorker } from "../faults/kills.ts";
import { createLoadClient } from "../load/load-client.ts";
import { countFault, type Ledger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { reportVariants } from "../load/report-variants.ts";
import { listRendererPids } from "../stand/renderers.ts";
import { armFailpoint, waitForHit } from "../stand/armed-failpoints.ts";
import { startTortureStand, type TortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Duration of a SIGSTOP in ms. It exceeds the lease of a report, and the time after which a worker without heartbeats counts as dead. */
const stopMs = 60_000;
/** Minutes that a report may run. It exceeds the time for which a renderer is stopped, so that the limit does not end the report. */
const runTimeLimitMinutes = "5";
/** Maximum ms until all reports end: about a minute until the rescue, then the delay of the retry, then the attempt. */
const endMs = 180_000;
const startMs = 180_000;
/** Minimum slots per worker and minimum clients. With fewer, a worker seldom claims several reports at the same time, as in a batch. */
const [minSlots, minClients] = [6, 40];

export const failpointScenario: Scenario = async (parameters, say) => {
  const { seed, times, only } = parameters;
  const clients = Math.max(parameters.clients, minClients);
  const steps = failpointSteps.filter(({ failpoint }) => failpoint.name.includes(only));
  if (steps.length === 0) throw new Error(`No failpoint has a name that contains ${only}.`);
  await using stand = await startTortureStand({
    ...parameters,
    concurrency: Math.max(parameters.concurrency, minSlots),
    withFailpoints: true,
    environment: { REPORT_RUN_TIME_LIMIT_MINUTES: runTimeLimitMinutes },
  });
  const caller = createLoadClient(stand, seed);
  const before = await makeReferenceFiles(caller, seed, reportVariants);
  using run = watchRun(stand, caller);
  const { ledger } = run;
  const startedAt = Date.now();
  let isOver = false;
  const load = runLoad(stand, caller, ledger, {
    seed,
    clients,
    patienceMs: parameters.patienceSeconds * 1000,
    isOver: () => isOver,
  });
  const violations: (readonly [null, string])[] = [];
  const random = createSeededRandom(seed, 6, 0);
  let done = 0;
  try {
    for (const { failpoint, action } of Array.from({ length: times }, () => shuffle(random, steps)).flat()) {
      const what = `${failpoint.name}: ${action}`;
      countFault(ledger, what);
      try {
        await hit(stand, ledger, failpoint, action);
      } catch (error) {
        violations.push([null, `${what}: ${(error as Error).message}`]);
      }
      say(`${++done} of ${times * steps.length}: ${what}`);
    }
  } finally {
    isOver = true;
  }
  await load;
  const references = await endFaultsAndMakeReferences({ stand, caller, seed, before }, reportVariants, endMs);
  const snapshot = await readDatabaseState(stand);
  return {
    snapshot,
    folder: stand.folder,
    figures: [`Duration ${Math.round((Date.now() - startedAt) / 1000)} s, ${snapshot.records.size} reports`],
    findings: await checkAllInvariants({ ...run, snapshot, references, say }, [
      createInvariantResult(
        "N1",
        "every report that was unfinished when a failpoint was hit ends",
        `${done} hits`,
        violations,
      ),
    ]),
  };
};

const failpointSteps = attemptFailpoints.flatMap((failpoint) =>
  failpoint.actions.map((action) => ({ failpoint, action })),
);

async function hit(
  stand: TortureStand,
  ledger: Ledger,
  { name, process: victim }: Failpoint,
  action: FailpointAction,
): Promise<void> {
  await Promise.all(stand.workers.map(async (worker) => worker.ready(startMs)));
  const renderers = new Map(stand.workers.map(({ pid }) => [pid, listRendererPids(pid!)]));
  await armFailpoint(stand, name, action);
  const pid = await waitForHit(stand, name, endMs);
  const at = Date.now();
  const open = await stand.sql<{ id: string }[]>`select id from reports where status in ('QUEUED', 'RUNNING')`;
  if (victim === "worker" && action !== "throw") {
    ledger.losses.push({ kind: `${name}: ${action}`, at, held: await findAttemptsOfWorker({ stand }, pid) });
    if (action === "kill") ledger.orphanedRenderers.push(...renderers.get(pid)!);
  }
  if (action === "stop") {
    await wait(stopMs);
    signalIfRunning(pid, "SIGCONT");
  }
  await waitFor(
    async () => {
      const [left] = await stand.sql<{ count: number }[]>`
        select count(*)::int as count from reports
        where id = any (${open.map(({ id }) => id)}) and status in ('QUEUED', 'RUNNING') and deleted_at is null`;
      return left!.count === 0;
    },
    { what: `the end of the ${open.length} reports that were open`, timeoutMs: endMs, intervalMs: 200 },
  );
}

function shuffle<T>(random: SeededRandom, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: random.integer(0, 1_000_000) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
