import type { StandProcess } from "@reports/testing";
import { createInvariantResult, type InvariantResult } from "../check/invariant-result.ts";
import { checkAllInvariants, watchRun } from "../check/check-all-invariants.ts";
import { makeReferenceFiles, endFaultsAndMakeReferences } from "../check/reference-files.ts";
import { readDatabaseState, type DatabaseState } from "../check/database-state.ts";
import { runFaults } from "../faults/run-faults.ts";
import { createLoadClient } from "../load/load-client.ts";
import type { Ledger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { reportVariants } from "../load/report-variants.ts";
import { canFakeClocks } from "../stand/can-fake-clocks.ts";
import { startTortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

const offsetsSeconds = [600, -600];

export const clockScenario: Scenario = async (parameters, say) => {
  const { seed, reports, kills, clients } = parameters;
  const clockOffsetsSeconds = canFakeClocks() ? offsetsSeconds : undefined;
  if (clockOffsetsSeconds === undefined)
    say("All clocks are right, because libfaketime is missing: this run does not test wrong clocks.");
  await using stand = await startTortureStand({
    ...parameters,
    apis: 1,
    workers: offsetsSeconds.length,
    clockOffsetsSeconds,
  });
  const errorsMs = await Promise.all(stand.workers.map(clockErrorOf));
  const caller = createLoadClient(stand, seed);
  const before = await makeReferenceFiles(caller, seed, reportVariants);
  using run = watchRun(stand, caller);
  const { ledger } = run;
  const startedAt = Date.now();
  const isOver = (): boolean => Date.now() - startedAt > parameters.minutes * 60_000;
  const firstReports = Math.ceil(reports / 2);
  const options = { seed, clients, withInterventions: false, isOver };
  const patienceMs = parameters.patienceSeconds * 1000;

  await runLoad(stand, caller, ledger, { ...options, reports: firstReports, patienceMs });
  const withoutKills = checkWithoutKills(
    await readDatabaseState(stand),
    stand.workers.flatMap(({ unexpectedEnds }) => unexpectedEnds),
  );
  say(`${ledger.submitted} reports have ended without a kill; now workers are killed.`);

  const loadDone = new AbortController();
  const load = runLoad(stand, caller, ledger, {
    ...options,
    seed: seed + 1,
    reports: reports - firstReports,
    patienceMs,
    mayStart: (number) =>
      number / (reports - firstReports) <= (ledger.kills + 1) / (kills + 1) || ledger.kills >= kills,
  }).finally(() => loadDone.abort());
  const plan = {
    seed,
    kills,
    mayKill: (number: number) =>
      (number - 0.5) / (kills + 1) <= (ledger.submitted - firstReports) / (reports - firstReports),
    longestPauseMs: 6_000,
    longFaultPauseMs: Infinity,
    only: "SIGKILL worker",
    isOver,
  };
  await Promise.all([load, runFaults({ stand, caller, ledger }, plan, loadDone.signal)]);
  const references = await endFaultsAndMakeReferences({ stand, caller, seed, before }, reportVariants, 240_000);
  const snapshot = await readDatabaseState(stand);
  return {
    snapshot,
    folder: stand.folder,
    figures: [
      `Clocks wrong by ${errorsMs.map((ms) => `${Math.round(ms / 1000)} s`).join(" and ")}; ${snapshot.records.size} reports, ${ledger.kills} kills`,
    ],
    findings: await checkAllInvariants({ ...run, snapshot, references, say }, [
      withoutKills,
      checkRescues(ledger, snapshot),
    ]),
  };
};

/** Returns the error of a worker's clock in ms, which it reads from the `date` header of a response. */
async function clockErrorOf({ origin }: StandProcess): Promise<number> {
  const { headers } = await fetch(`${origin}/health/live`);
  return Date.parse(headers.get("date")!) - Date.now();
}

function checkWithoutKills({ records }: DatabaseState, unexpectedEnds: readonly string[]): InvariantResult {
  return createInvariantResult(
    "C1",
    "without a kill no worker counts as dead, and every report needs one attempt",
    `${records.size} reports`,
    [
      ...[...records.values()]
        .filter(({ attempt, status }) => attempt !== 1 || status !== "SUCCEEDED")
        .map(({ id, attempt, status }) => [id, `is ${status} at attempt ${attempt}`] as const),
      ...unexpectedEnds.map((end) => [null, `a worker ended: ${end}`] as const),
    ],
  );
}

function checkRescues({ losses }: Pick<Ledger, "losses">, { events }: DatabaseState): InvariantResult {
  const rescues = [...events].flatMap(([id, history]) =>
    history.flatMap((event, index) =>
      event.from === "RUNNING" && event.to === "QUEUED"
        ? [{ id, claimedAt: history[index - 1]!.at.getTime(), at: event.at.getTime() }]
        : [],
    ),
  );
  return createInvariantResult(
    "C2",
    "with kills, no report is rescued from a worker that is alive",
    `${rescues.length} reports rescued, ${losses.length} workers killed`,
    rescues
      .filter(({ claimedAt, at }) => !losses.some((loss) => loss.at >= claimedAt - 1_000 && loss.at <= at))
      .map(({ id }) => [id, "was rescued although no worker had been killed"]),
  );
}
