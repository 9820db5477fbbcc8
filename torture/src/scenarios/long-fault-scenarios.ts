import { checkShardedReports, checkShardOutages, readShardedReports } from "../check/sharded-reports.ts";
import { closeLaneFault } from "../faults/close-lane-fault.ts";
import { damageFileFault } from "../faults/damage-file-fault.ts";
import { freezePostgresFault } from "../faults/freeze-postgres-fault.ts";
import { jumpPostgresClockFault } from "../faults/jump-postgres-clock-fault.ts";
import { killShardFault } from "../faults/kill-shard-fault.ts";
import { killWorkerFault } from "../faults/kills.ts";
import { swapStoreFault } from "../faults/swap-store-fault.ts";
import { computeClockOffsetsSeconds } from "../stand/can-fake-clocks.ts";
import { runForeignApp } from "../stand/foreign-app.ts";
import { createLongFaultScenario } from "./long-fault.ts";
import type { Scenario } from "./scenario.ts";

/** Times of the reconciler in seconds. It runs several times during a swap. Without kills, a file has a record within `minAgeSeconds`. */
const reconcile = { everySeconds: 2, minAgeSeconds: 8 };

export const swappedStoreScenario = createLongFaultScenario(swapStoreFault, {
  stand: { reconcile: { ...reconcile, trashSeconds: 4 } },
});

export const frozenPostgresScenario = createLongFaultScenario(freezePostgresFault);

export const closedLaneScenario = createLongFaultScenario(closeLaneFault, {
  stand: { withLaneWorker: true, environment: { OVERLOAD_QUEUE_AGE_SECONDS: "7" } },
});

export const foreignJobsScenario = createLongFaultScenario(killWorkerFault, { background: runForeignApp });

export const damagedFilesScenario = createLongFaultScenario(damageFileFault, { stand: { reconcile } });

export const killedShardScenario = createLongFaultScenario(killShardFault, {
  stand: { withShards: true },
  load: { withShards: true },
  check: async (stand, ledger, snapshot) => [
    checkShardedReports(await readShardedReports(stand), ledger.faults.get(killShardFault.name) ?? 0),
    await checkShardOutages(stand, ledger, snapshot),
  ],
});

export const jumpingClockScenario: Scenario = async (parameters, say) => {
  const clockOffsetsSeconds = computeClockOffsetsSeconds(parameters.clockMinutes || 10);
  if (clockOffsetsSeconds === undefined) throw new Error("Clocks cannot be set here: install libfaketime.");
  return createLongFaultScenario(jumpPostgresClockFault, { stand: { clockOffsetsSeconds } })(parameters, say);
};
