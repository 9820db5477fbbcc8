import { setTimeout as wait } from "node:timers/promises";
import { checkPublishedFiles, watchPublishedFiles } from "../check/named-files.ts";
import { checkRecords } from "../check/invariants.ts";
import { checkReconciler } from "../check/reconciler.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { createLoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { startTortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const reconcile = { everySeconds: 2, minAgeSeconds: 8 };
const olderReports = 24;
/**
 * Reports that are made after the backup, so that their files have no record after the restore. If half of all files had no record, the reconciler
 * would protect them all, and the run would show nothing.
 */
const newerReports = 6;
/** Reports that are queued at the time of the backup. They run a second time after the restore. */
const waitingReports = 4;
/** Ms for which the stand runs with each database. The reconciler runs many times meanwhile. */
const comparedMs = 30_000;

export const restoredBackupScenario: Scenario = async (parameters, say) => {
  const { seed, clients } = parameters;
  await using stand = await startTortureStand({ ...parameters, apis: 1, workers: 1, reconcile });
  const caller = createLoadClient(stand, seed);
  const ledger = createLedger();
  const options = { clients, withInterventions: false, patienceMs: 120_000 };
  await runLoad(stand, caller, ledger, { ...options, seed, reports: olderReports });
  const worker = stand.workers[0]!;
  await worker.stop();
  for (let number = 1; number <= waitingReports; number++) {
    const key = `waiting-${seed}-${number}`;
    const id = await caller.start({ reportType: "PROXY", format: "csv" }, key);
    ledger.entries.set(id, { id, key, variant: null });
  }
  const copy = await stand.database.backUp();
  worker.start();
  await worker.ready();
  await runLoad(stand, caller, ledger, { ...options, seed: seed + 1, reports: newerReports });
  await endFaultsAndWaitUntilIdle(stand, 60_000);

  const goBack = await stand.database.restore(copy);
  await worker.ready();
  const newer = newerReports + waitingReports;
  say(`The database is older than ${newer} of ${olderReports + newer} stored files.`);
  await wait(comparedMs);
  await goBack();
  await Promise.all([...stand.workers, ...stand.apis].map(async (instance) => instance.ready()));
  say("The newer database is back.");
  using fileWatch = watchPublishedFiles(stand, ledger);
  await wait(comparedMs);

  const snapshot = await readDatabaseState(stand);
  const findings = [
    await checkPublishedFiles(stand, ledger, snapshot, fileWatch.checks),
    ...checkRecords(ledger, snapshot),
    await checkReconciler(stand, snapshot),
  ];
  return { snapshot, folder: stand.folder, figures: [`${snapshot.records.size} reports`], findings };
};
