import type { ReconcileOutcome } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { ReconcilerMode } from "../config.ts";
import { createLeasedWork, type Leases } from "./leased-work.ts";

export interface ReconcileWorkDeps {
  readonly mode: ReconcilerMode;
  /** Time between two rounds, over all workers. */
  readonly everyMs: number;
  readonly leases: Leases;
  readonly reconciler: {
    run(signal: AbortSignal): Promise<ReconcileOutcome>;
    plan(onStep: () => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  };
  readonly logger: Pick<Logger, "info" | "error">;
  /** Receives the outcome of each round, but only if the mode is `on`. Dry runs are not reported. */
  readonly onOutcome: (outcome: ReconcileOutcome) => void;
  readonly now?: () => number;
}

/** Returns the reconciliation as periodic work. A round returns false if it compares nothing, because the mode is `off` or the lease is not free. */
export function createReconcileWork(deps: ReconcileWorkDeps): (signal: AbortSignal) => Promise<boolean> {
  const { mode, everyMs, leases, reconciler, logger } = deps;
  if (mode === "off") return async () => false;
  // Separate leases, so that the first round after a change to `on` does not wait for the last dry run.
  const lease = mode === "on" ? "reconciliation" : "reconciliation-dry-run";
  return createLeasedWork({ leases, lease, everyMs, now: deps.now }, async (signal) => {
    const outcome = await (mode === "on" ? reconciler.run(signal) : reconciler.plan(() => undefined, signal));
    if (mode === "on") deps.onOutcome(outcome);
    if (outcome.refused > 0) {
      logger.error("files and records differ too much, nothing repaired: check that the store is the right one", {
        mode,
        ...outcome,
      });
    } else logger.info("files and records compared", { mode, ...outcome });
  });
}
