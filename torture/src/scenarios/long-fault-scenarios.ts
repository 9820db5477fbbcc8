import { checkShardedReports, checkShardOutages, readShardedReports } from "../check/sharded-reports.ts";
import { closeLane } from "../faults/close-lane.ts";
import { damageFile } from "../faults/damage-file.ts";
import { freezePostgres } from "../faults/freeze-postgres.ts";
import { jumpPostgresClock } from "../faults/jump-postgres-clock.ts";
import { killShard } from "../faults/kill-shard.ts";
import { swapStore } from "../faults/swap-store.ts";
import { computeClockOffsetsSeconds } from "../stand/can-fake-clocks.ts";
import { createLongFaultScenario } from "./long-fault.ts";
import type { Scenario } from "./scenario.ts";

/** Times of the reconciler in seconds. It runs several times during a swap. Without kills, a file has a record within `minAgeSeconds`. */
const reconcile = { everySeconds: 2, minAgeSeconds: 8 };

export const swappedStore = createLongFaultScenario(swapStore, {
  stand: { reconcile: { ...reconcile, trashSeconds: 4 } },
});

export const frozenPostgres = createLongFaultScenario(freezePostgres);

export const closedLane = createLongFaultScenario(closeLane, {
  stand: { withLaneWorker: true, environment: { OVERLOAD_QUEUE_AGE_SECONDS: "7" } },
});

export const damagedFiles = createLongFaultScenario(damageFile, { stand: { reconcile } });

export const killedShard = createLongFaultScenario(killShard, {
  stand: { withShards: true },
  load: { withShards: true },
  check: async (stand, ledger, snapshot) => [
    checkShardedReports(await readShardedReports(stand), ledger.faults.get(killShard.name) ?? 0),
    await checkShardOutages(stand, ledger, snapshot),
  ],
});

export const jumpingClock: Scenario = async (parameters, say) => {
  const clockOffsetsSeconds = computeClockOffsetsSeconds(parameters.clockMinutes || 10);
  if (clockOffsetsSeconds === undefined) throw new Error("Clocks cannot be set here: install libfaketime.");
  return createLongFaultScenario(jumpPostgresClock, { stand: { clockOffsetsSeconds } })(parameters, say);
};
