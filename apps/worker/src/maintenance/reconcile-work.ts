import type { ReconcileOutcome, ReconcileRound } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { ReconcilerMode } from "../config.ts";
import { createLeasedWork, type WorkLeases } from "./leased-work.ts";

export interface ReconcileWorkDeps {
  readonly mode: ReconcilerMode;
  readonly everyMs: number;
  readonly leases: WorkLeases;
  readonly reconciler: {
    run(signal: AbortSignal): Promise<ReconcileRound>;
    plan(onStep: () => void, signal: AbortSignal): Promise<ReconcileOutcome>;
  };
  readonly logger: Pick<Logger, "info" | "error">;
  /** Receives the result of each round in mode `on`. Dry runs are only logged. */
  readonly onRound: (round: ReconcileRound) => void;
  readonly now?: () => number;
}

/** Returns a function that does one round. The function returns false if the mode is `off` or another worker has the lease. */
export function createReconcileWork(deps: ReconcileWorkDeps): (signal: AbortSignal) => Promise<boolean> {
  const { mode, everyMs, leases, reconciler, logger } = deps;
  if (mode === "off") return async () => false;
  // Dry runs have a separate lease, so that the first round after a change to `on` does not wait for the lease of the last dry run.
  const lease = mode === "on" ? "reconciliation" : "reconciliation-dry-run";
  return createLeasedWork({ leases, lease, everyMs, now: deps.now }, async (signal) => {
    const round =
      mode === "on"
        ? await reconciler.run(signal)
        : { kind: "all" as const, ...(await reconciler.plan(() => undefined, signal)) };
    if (mode === "on") deps.onRound(round);
    const { kind, ...counts } = round;
    if (kind === "sample") logger.info("a sample of files compared with records", { mode, ...counts });
    else if (round.refused === 0) logger.info("files and records compared", { mode, ...counts });
    else {
      logger.error("too many differences of one kind, none of them repaired: check that the store is the right one", {
        mode,
        ...counts,
      });
    }
  });
}
