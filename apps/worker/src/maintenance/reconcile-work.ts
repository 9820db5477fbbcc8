import type { ReconcileOutcome } from "@reports/core";
import type { Logger } from "@reports/runtime";
import type { ReconcilerMode } from "../config.ts";

/** What a round of reconciliation uses. */
export interface ReconcileWorkDeps {
  readonly mode: ReconcilerMode;
  /** Between two rounds of all workers together. */
  readonly everyMs: number;
  readonly leases: { take(name: string, everyMs: number): Promise<boolean> };
  readonly reconciler: {
    run(signal: AbortSignal): Promise<ReconcileOutcome>;
    plan(onStep: () => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  };
  readonly logger: Pick<Logger, "info" | "error">;
  /** Told of rounds that acted. */
  readonly onOutcome: (outcome: ReconcileOutcome) => void;
}

/** Makes the periodic work of which every worker does the rounds whose lease it takes. */
export function createReconcileWork(deps: ReconcileWorkDeps): (signal: AbortSignal) => Promise<void> {
  const { mode, everyMs, leases, reconciler, logger } = deps;
  return async (signal) => {
    if (mode === "off") return;
    // A lease of its own: the first round that acts must not wait for one that did not.
    if (!(await leases.take(mode === "on" ? "reconciliation" : "reconciliation-dry-run", everyMs))) return;
    const outcome = await (mode === "on" ? reconciler.run(signal) : reconciler.plan(() => undefined, signal));
    if (mode === "on") deps.onOutcome(outcome);
    if (outcome.refused > 0) {
      logger.error("files and records differ too much, nothing repaired: check that the store is the right one", {
        mode,
        ...outcome,
      });
    } else logger.info("files and records compared", { mode, ...outcome });
  };
}
