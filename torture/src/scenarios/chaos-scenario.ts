import { join } from "node:path";
import { createSeededRandom } from "@reports/testing";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkAllInvariants, watchRun } from "../check/check-all-invariants.ts";
import { readWebhookEvidence, checkWebhookDeliveries } from "../check/deliveries.ts";
import { checkScheduleRuns, readScheduleRuns } from "../check/schedule-runs.ts";
import { describeCounts } from "../check/describe-counts.ts";
import { checkPausedWebhooks } from "../check/paused-webhooks.ts";
import { checkSignatureTimes } from "../check/signatures.ts";
import { makeReferenceFiles, endFaultsAndMakeReferences } from "../check/reference-files.ts";
import { checkShardedReports, readShardedReports } from "../check/sharded-reports.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { breakSpoolRepeatedly, checkSpoolBreaks, spoolWorkerName } from "../faults/break-spool-repeatedly.ts";
import { killShardFault, killShardsRepeatedly } from "../faults/kill-shard-fault.ts";
import { runFaults } from "../faults/run-faults.ts";
import { createLoadClient } from "../load/load-client.ts";
import { runLoad } from "../load/run-load.ts";
import { makeSchedules, computeScheduleRoundMs, triggerSchedulesRepeatedly } from "../load/schedules.ts";
import { shardedVariants, reportVariants } from "../load/report-variants.ts";
import {
  otherWebhookKeyEnvironment,
  restartReceiverRepeatedly,
  subscribeReceivers,
  createSilentDnsWebhooks,
  createWebhookEnvironment,
} from "../load/webhooks.ts";
import { lockForeignJobs } from "../stand/foreign-app.ts";
import { openBreakableSpool } from "../stand/breakable-spool.ts";
import { computeClockOffsetsSeconds } from "../stand/can-fake-clocks.ts";
import { startSilentDnsServer } from "../stand/silent-dns.ts";
import { startTortureStand } from "../stand/torture-stand.ts";
import { startTortureReceivers, receiverNames } from "../stand/webhook-receivers.ts";
import type { Scenario } from "./scenario.ts";

/** Maximum ms until the stand is idle. A poison pill on a slow machine has three attempts of a minute each, and the longest delays between them. */
const idleTimeoutMs = 480_000;

/**
 * Times of the reconciler in seconds. Even during a fault, every file has a record before it is `minAgeSeconds` old. Otherwise the reconciler would
 * wrongly remove it.
 */
const reconcile = { everySeconds: 20, minAgeSeconds: 180 };

export const chaosScenario: Scenario = async (parameters, say) => {
  const { seed, reports, kills, clients, patienceSeconds } = parameters;
  await using dns = parameters.silentDns ? await startSilentDnsServer() : null;
  await using receivers = await startTortureReceivers();
  const environment = { ...createWebhookEnvironment(receivers), ...dns?.environment, SCHEDULE_MIN_MINUTES: "0" };
  await using stand = await startTortureStand({
    ...parameters,
    reconcile,
    withLaneWorker: true,
    withShards: true,
    environment,
    clockOffsetsSeconds: computeClockOffsetsSeconds(parameters.clockMinutes),
  });
  await using spool = parameters.brokenSpool ? await openBreakableSpool(join(stand.folder, "breakable-spool")) : null;
  if (parameters.brokenSpool && spool === null) say("The spool is not broken, because a tmpfs cannot be mounted here.");
  const specialWorkers = [
    ...(spool === null ? [] : [await stand.addWorker({ SPOOL_DIR: spool.directory }, spoolWorkerName)]),
    ...(parameters.otherKey ? [await stand.addWorker(otherWebhookKeyEnvironment, "other-key-worker")] : []),
  ];
  for (const worker of specialWorkers) worker.start();
  await Promise.all(specialWorkers.map(async (worker) => worker.ready()));
  say(
    `The stand is up: ${parameters.apis} API instances, ${stand.workers.length} workers, Postgres, ${stand.store.kind}. Logs: ${stand.folder}`,
  );
  const caller = createLoadClient(stand, seed);
  const webhooks = await subscribeReceivers(stand, caller, receivers, { hasNamedReceiver: parameters.silentDns });
  if (dns !== null) await createSilentDnsWebhooks(caller);
  const schedules = await makeSchedules(caller, parameters.schedules);
  const compared = [...reportVariants, ...shardedVariants];
  const before = await makeReferenceFiles(caller, seed, compared);
  say(`${before.size} variants have run undisturbed; ${schedules.length} schedules, ${webhooks.size} webhooks.`);

  const checkForeignJobs = await lockForeignJobs(stand);
  using run = watchRun(stand, caller);
  const { ledger } = run;
  const startedAt = Date.now();
  const isOver = (): boolean => Date.now() - startedAt > parameters.minutes * 60_000;
  const loadDone = new AbortController();
  const progressTimer = setInterval(() => {
    say(`${seconds(startedAt)}: ${ledger.submitted} of ${reports} reports started, ${ledger.kills} of ${kills} kills`);
  }, 15_000);
  const load = runLoad(stand, caller, ledger, {
    seed,
    reports,
    clients,
    patienceMs: patienceSeconds * 1000,
    withPoison: parameters.only === "",
    withRenditions: true,
    withShards: true,
    isOver,
    // A report waits if too few kills have happened so far, and a kill waits for reports. So the kills are spread over the whole run.
    mayStart: (number) => kills === 0 || number / reports <= (ledger.kills + 1) / (kills + 1) || ledger.kills >= kills,
  }).finally(() => loadDone.abort());
  const faults = runFaults(
    { stand, caller, ledger },
    {
      seed,
      kills,
      mayKill: (number) => (number - 0.5) / (kills + 1) <= ledger.submitted / reports && !isOver(),
      longestPauseMs: parameters.pauseSeconds * 1000,
      longFaultPauseMs: parameters.longPauseSeconds * 1000,
      only: parameters.only,
      isOver: () => isOver() || (ledger.submitted >= reports && ledger.kills >= kills),
    },
    loadDone.signal,
  );
  const background = [
    triggerSchedulesRepeatedly(stand, ledger, loadDone.signal),
    ...(killShardFault.name.includes(parameters.only)
      ? [killShardsRepeatedly({ stand, caller, ledger, random: createSeededRandom(seed, 7, 0) }, loadDone.signal)]
      : []),
    restartReceiverRepeatedly(receivers, createSeededRandom(seed, 5, 0), loadDone.signal),
    ...(spool === null
      ? []
      : [
          breakSpoolRepeatedly(
            { stand, spool, caller, ledger, random: createSeededRandom(seed, 6, 0) },
            loadDone.signal,
          ),
        ]),
  ];
  await Promise.all([load, faults, ...background]);
  clearInterval(progressTimer);
  say(`${seconds(startedAt)}: the load has ended; waiting until the stand is idle.`);
  const references = await endFaultsAndMakeReferences(
    { stand, caller, seed, before },
    compared,
    (parameters.mutate === undefined ? idleTimeoutMs : 30_000) + computeScheduleRoundMs(schedules.length),
  );
  const snapshot = await readDatabaseState(stand, ledger);
  const foreign = await checkForeignJobs();
  const findings = await checkAllInvariants({ ...run, snapshot, references, say }, [
    foreign,
    checkScheduleRuns(
      ledger.scheduledTimes,
      await readScheduleRuns(stand),
      snapshot.records.values(),
      ledger.clockJumps,
    ),
    checkWebhookDeliveries(receiverNames, await readWebhookEvidence(stand, webhooks, snapshot, receivers)),
    checkSignatureTimes(receivers.received, ledger.clockJumps),
    await checkPausedWebhooks(stand, webhooks),
    ...checkSpoolBreaks(ledger),
    checkShardedReports(await readShardedReports(stand), ledger.faults.get(killShardFault.name) ?? 0),
    createInvariantResult(
      "R3",
      "no API process ends unexpectedly",
      `${stand.apis.reduce((sum, { pids }) => sum + pids.length, 0)} processes`,
      stand.apis.flatMap(({ name, unexpectedEnds }) => unexpectedEnds.map((end) => [null, `${name}: ${end}`] as const)),
    ),
  ]);
  return {
    findings,
    snapshot,
    folder: stand.folder,
    figures: [
      `Duration ${seconds(startedAt)}, ${ledger.kills} kills, ${stand.database.restarts.length} Postgres restarts`,
      ...(dns === null ? [] : [`Queries that the name server left unanswered: ${dns.queries}`]),
      `Faults: ${describeCounts(ledger.faults)}`,
      `Responses (0 = none): ${describeCounts(caller.responses)}`,
      `Unexpected ends of processes: ${[...stand.apis, ...stand.workers].map(({ name, unexpectedEnds }) => `${name} ${describeCounts(countUp(unexpectedEnds)) || "none"}`).join("; ")}`,
    ],
  };
};

function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}

function countUp(names: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, group]) => [name, group.length]));
}
