import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "@reports/testing";
import { describeCounts } from "../check/describe-counts.ts";
import { createInvariantResult } from "../check/invariant-result.ts";
import { checkRecords } from "../check/invariants.ts";
import { endFaultsAndWaitUntilIdle } from "../check/end-faults-and-wait-until-idle.ts";
import { readDatabaseState } from "../check/database-state.ts";
import { createLoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { runLoad } from "../load/run-load.ts";
import { startTortureStand } from "../stand/torture-stand.ts";
import type { Scenario } from "./scenario.ts";

/** Ms after an outage during which calls may still fail. */
const graceMs = 3_000;

export const postgresRestartsScenario: Scenario = async (parameters, say) => {
  const { seed, times, clients } = parameters;
  await using stand = await startTortureStand(parameters);
  const pids = stand.apis.map(({ pid }) => pid);
  const random = createSeededRandom(seed, 6, 0);
  const ledger = createLedger();
  const caller = createLoadClient(stand, seed);
  const { restarts } = stand.database;
  const load = runLoad(stand, caller, ledger, {
    seed,
    clients,
    // Clients wait only 2 s for the end of a report, so that starts and polls continue during the restarts.
    patienceMs: 2_000,
    isOver: () => restarts.length >= times,
  });
  while (restarts.length < times) {
    await wait(random.integer(500, 6_000));
    await stand.database.restart("immediate");
    if (restarts.length % 5 === 0) say(`${restarts.length} of ${times} restarts, ${ledger.submitted} reports started`);
  }
  await load;
  await endFaultsAndWaitUntilIdle(stand, 240_000);
  const snapshot = await readDatabaseState(stand);
  const outside = caller.troubles.filter(
    ({ from, to }) => !restarts.some((outage) => from <= outage.to + graceMs && to >= outage.from),
  );
  const longest = Math.max(0, ...restarts.map(({ from, to }) => to - from));
  return {
    snapshot,
    folder: stand.folder,
    figures: [
      `${restarts.length} restarts, the longest outage ${longest} ms`,
      `Responses (0 = none): ${describeCounts(caller.responses)}`,
    ],
    findings: [
      createInvariantResult(
        "P1",
        "the API's process ids are unchanged",
        `${pids.join(", ")} → ${stand.apis.map(({ pid }) => pid).join(", ")}`,
        stand.apis.flatMap(({ name, unexpectedEnds }) =>
          unexpectedEnds.map((end) => [null, `${name} ended: ${end}`] as const),
        ),
      ),
      createInvariantResult(
        "P2",
        "calls fail only while Postgres is down, and for 3 s after",
        `${caller.troubles.length} failed calls`,
        outside.map(({ from, status, what }) => [null, `${new Date(from).toISOString()} ${what}: ${status}`]),
      ),
      ...checkRecords(ledger, snapshot),
    ],
  };
};
