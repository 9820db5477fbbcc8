import type { ReconcileOutcome } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { ReconcilerMode } from "../config.ts";
import { createLeasedWork, type Leases } from "./leased-work.ts";

export interface ReconcileWorkDeps {
  readonly mode: ReconcilerMode;
  /** Between two rounds of all workers together. */
  readonly everyMs: number;
  readonly leases: Leases;
  readonly reconciler: {
    run(signal: AbortSignal): Promise<ReconcileOutcome>;
    plan(onStep: () => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  };
  readonly logger: Pick<Logger, "info" | "error">;
  /** Called after rounds that acted. */
  readonly onOutcome: (outcome: ReconcileOutcome) => void;
  readonly now?: () => number;
}

/** Makes the periodic work; a round returns false if its lease was not this worker's. */
export function createReconcileWork(deps: ReconcileWorkDeps): (signal: AbortSignal) => Promise<boolean> {
  const { mode, everyMs, leases, reconciler, logger } = deps;
  if (mode === "off") return async () => false;
  // A separate lease: the first acting round must not wait for a dry one.
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
