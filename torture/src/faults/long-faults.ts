import { closeLane } from "./close-lane.ts";
import { damageFile } from "./damage-file.ts";
import type { StandFault } from "./fault.ts";
import { freezePostgres } from "./freeze-postgres.ts";
import { jumpPostgresClock } from "./jump-postgres-clock.ts";
import { swapStore } from "./swap-store.ts";

/** Faults that last for a while or affect a part that all processes share. `chaos` injects them one at a time, in turn, with long pauses. */
export const longFaults: readonly StandFault[] = [swapStore, freezePostgres, closeLane, damageFile, jumpPostgresClock];
