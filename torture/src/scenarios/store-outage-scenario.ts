import { setTimeout as wait } from "node:timers/promises";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkRecords } from "../check/invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { checkReconciler } from "../check/reconciler.ts";
import { createLoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { startTortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Maximum ms until reports end after the outage. It allows for the longest delay of a retry and for the backlog. */
const recoverMs = 240_000;

/** Shortest delay of a retry in ms: a third of 10 s (see worker-main.ts), minus 20 % jitter and a tolerance. */
const minRetryPauseMs = 2_600;

export const storeOutageScenario: Scenario = async (parameters, say) => {
  const { seed, minutes, reports, clients } = parameters;
  await using stand = await startTortureStand({ ...parameters, store: "minio" });
  const ledger = createLedger();
  const caller = createLoadClient(stand, seed);
  await stand.store.proxy!.set({ kind: "refuse" });
  say(`The store is down for ${minutes} minutes.`);
  const endsAt = Date.now() + minutes * 60_000;
  const load = runLoad(stand, caller, ledger, {
    seed,
    clients,
    reports,
    patienceMs: minutes * 60_000 + recoverMs,
    isOver: () => Date.now() > endsAt,
  });
  await wait(minutes * 60_000);
  const [before] = await stand.sql<{ open: number; attempts: number }[]>`
    select count(*) filter (where status in ('QUEUED', 'RUNNING'))::int as open, max(attempt)::int as attempts from reports`;
  await stand.store.proxy!.set({ kind: "none" });
  say(`The store is back; ${before!.open} reports wait, ${before!.attempts} attempts at most.`);
  await load;
  await endFaultsAndWaitUntilIdle(stand, parameters.mutate === undefined ? recoverMs : 30_000);
  const snapshot = await readDatabaseState(stand);
  const failed = [...snapshot.records.values()].filter(({ status }) => status === "FAILED");
  return {
    snapshot,
    folder: stand.folder,
    figures: [`${snapshot.records.size} reports, ${before!.open} waiting when the store came back`],
    findings: [
      createInvariantResult(
        "S1",
        "no report fails because the store is down",
        `${failed.length} FAILED`,
        failed.map(({ id, error }) => [id, `FAILED with ${error}`]),
      ),
      createInvariantResult(
        "S2",
        "a retry waits for its delay",
        `delays of at least ${minRetryPauseMs} ms`,
        [...snapshot.events].flatMap(([id, events]) =>
          events.flatMap((event, index) => {
            const next = events[index + 1];
            const waits = event.from === "RUNNING" && event.to === "QUEUED" && next?.to === "RUNNING";
            const pauseMs = waits ? next.at.getTime() - event.at.getTime() : minRetryPauseMs;
            return pauseMs < minRetryPauseMs ? [[id, `was tried again after ${pauseMs} ms`] as const] : [];
          }),
        ),
      ),
      ...checkRecords(ledger, snapshot),
      await checkReconciler(stand, snapshot),
    ],
  };
};
