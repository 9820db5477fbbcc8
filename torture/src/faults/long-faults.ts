import { closeLaneFault } from "./close-lane-fault.ts";
import { damageFileFault } from "./damage-file-fault.ts";
import type { StandFault } from "./fault.ts";
import { freezePostgresFault } from "./freeze-postgres-fault.ts";
import { jumpPostgresClockFault } from "./jump-postgres-clock-fault.ts";
import { swapStoreFault } from "./swap-store-fault.ts";

/** Faults that last for a while or affect a part that all processes share. `chaos` injects them one at a time, in turn, with long pauses. */
export const longFaults: readonly StandFault[] = [
  swapStoreFault,
  freezePostgresFault,
  closeLaneFault,
  damageFileFault,
  jumpPostgresClockFault,
];
