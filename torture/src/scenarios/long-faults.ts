import { closeLane } from "../faults/close-lane.ts";
import { damageFile } from "../faults/damage-file.ts";
import { freezePostgres } from "../faults/freeze-postgres.ts";
import { swapStore } from "../faults/swap-store.ts";
import { underLongFault } from "./long-fault.ts";

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
