import type { ReconcileOutcome } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { ReconcilerMode } from "../config.ts";
import { createLeasedWork, type WorkLeases } from "./leased-work.ts";

export interface ReconcileWorkDeps {
  readonly mode: ReconcilerMode;
  readonly everyMs: number;
  readonly leases: WorkLeases;
  readonly reconciler: {
    run(signal: AbortSignal): Promise<ReconcileOutcome>;
    plan(onStep: () => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  };
  readonly logger: Pick<Logger, "info" | "error">;
  /** Receives the outcome of each round in mode `on`. Dry runs are only logged. */
  readonly onOutcome: (outcome: ReconcileOutcome) => void;
  readonly now?: () => number;
}

/** Returns a function that does one round. The function returns false if the mode is `off` or another worker has the lease. */
export function createReconcileWork(deps: ReconcileWorkDeps): (signal: AbortSignal) => Promise<boolean> {
  const { mode, everyMs, leases, reconciler, logger } = deps;
  if (mode === "off") return async () => false;
  // Dry runs have a separate lease, so that the first round after a change to `on` does not wait for the lease of the last dry run.
  const lease = mode === "on" ? "reconciliation" : "reconciliation-dry-run";
  return createLeasedWork({ leases, lease, everyMs, now: deps.now }, async (signal) => {
    const outcome = await (mode === "on" ? reconciler.run(signal) : reconciler.plan(() => undefined, signal));
    if (mode === "on") deps.onOutcome(outcome);
    if (outcome.refused > 0) {
      logger.error("too many differences of one kind, none of them repaired: check that the store is the right one", {
        mode,
        ...outcome,
      });
    } else logger.info("files and records compared", { mode, ...outcome });
  });
}
