import { judgeShardedReports, judgeUndisturbed, readShardedReports } from "../check/sharded-reports.ts";
import { closeLane } from "../faults/close-lane.ts";
import { damageFile } from "../faults/damage-file.ts";
import { freezePostgres } from "../faults/freeze-postgres.ts";
import { jumpPostgresClock } from "../faults/jump-postgres-clock.ts";
import { killShard } from "../faults/kill-shard.ts";
import { swapStore } from "../faults/swap-store.ts";
import { clockOffsets } from "../stand/can-fake-clocks.ts";
import { underLongFault } from "./long-fault.ts";
import type { Scenario } from "./scenario.ts";

/** So short that a swap meets several comparisons; nobody is killed here, so that files are known within seconds. */
const reconcile = { everySeconds: 2, minAgeSeconds: 8 };

/** The store is another for a while and comes back, while files and records are compared all the time. */
export const swappedStore = underLongFault(swapStore, { stand: { reconcile: { ...reconcile, trashSeconds: 4 } } });

/** Postgres stands still for longer than the API waits, under starts. */
export const frozenPostgres = underLongFault(freezePostgres);

/** Long reports have no worker for longer than the oldest report may wait. */
export const closedLane = underLongFault(closeLane, {
  stand: { withLaneWorker: true, environment: { OVERLOAD_QUEUE_AGE_SECONDS: "7" } },
});

/** Files are replaced and shortened behind the service's back. */
export const damagedFiles = underLongFault(damageFile, { stand: { reconcile } });

/** The server with half the rows of a source is killed under reports that read them. */
export const killedShard = underLongFault(killShard, {
  stand: { withShards: true },
  load: { withShards: true },
  judge: async (stand, ledger, snapshot) => [
    judgeShardedReports(await readShardedReports(stand), ledger.faults.get(killShard.name) ?? 0),
    await judgeUndisturbed(stand, ledger, snapshot),
  ],
});

/** Postgres's clock jumps ten minutes and back, among workers whose own clocks are wrong. */
export const jumpingClock: Scenario = async (parameters, say) => {
  const clockOffsetsSeconds = clockOffsets(parameters.clockMinutes || 10);
  if (clockOffsetsSeconds === undefined) throw new Error("Clocks cannot be set here: install libfaketime.");
  return underLongFault(jumpPostgresClock, { stand: { clockOffsetsSeconds } })(parameters, say);
};
