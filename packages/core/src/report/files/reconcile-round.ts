import { checkFileSample } from "./check-file-sample.ts";
import {
  computeMissingFileGraceMs,
  reconcileFiles,
  type ReconcileDeps,
  type ReconcileLimits,
  type ReconcileOutcome,
} from "./reconcile.ts";

export interface ReconcileRoundLimits extends ReconcileLimits {
  /** Period of the rounds. */
  readonly everyMs: number;
  /** Maximum time between two comparisons of all files. */
  readonly compareAllMs: number;
}

/** Either all files were compared, or a sample without a new difference was checked. */
export type ReconcileRound =
  | { readonly kind: "sample"; readonly checked: number }
  | ({ readonly kind: "all" } & ReconcileOutcome);

/**
 * Does one round of the reconciler: compares all files if that is due, or if a sample shows a change
 * (docs/decisions/0090-the-reconciler-compares-ranges.md). Rejects as `reconcileFiles` does.
 */
export async function runReconcileRound(
  deps: ReconcileDeps,
  limits: ReconcileRoundLimits,
  signal: AbortSignal,
): Promise<ReconcileRound> {
  const { compareAllMs, everyMs } = limits;
  await deps.identity.assert({ signal });
  const isDue = await deps.index.isComparisonDue({
    // Half a period less, because a round can begin a little earlier than the period says.
    everyMs: compareAllMs - everyMs / 2,
    unconfirmedMs: 2 * everyMs,
    missingMs: computeMissingFileGraceMs(limits),
  });
  if (!isDue) {
    const { checked, isChanged } = await checkFileSample(deps, limits.minAgeMs, signal);
    if (!isChanged) return { kind: "sample", checked };
  }
  return { kind: "all", ...(await reconcileFiles(deps, limits, signal)) };
}
