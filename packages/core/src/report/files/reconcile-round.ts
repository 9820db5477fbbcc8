import { checkFileSample, type FileSample, type FileSampleLimits } from "./check-file-sample.ts";
import { reconcileFiles, type ReconcileDeps, type ReconcileLimits, type ReconcileOutcome } from "./reconcile.ts";

export interface ReconcileRoundLimits extends ReconcileLimits, FileSampleLimits {
  /** Maximum time between two comparisons of all files. */
  readonly compareAllMs: number;
}

/** Either only a sample was checked, or all files were compared. */
export type ReconcileRound = ({ readonly kind: "sample" } & FileSample) | ({ readonly kind: "all" } & ReconcileOutcome);

/**
 * Does one round of the reconciler. Compares all files only if `compareAllMs` have passed, a difference is known, or a file of the sample is missing
 * or has the wrong size. Otherwise, the cost of a round follows the number of new reports. Rejects as `reconcileFiles` does.
 */
export async function runReconcileRound(
  deps: ReconcileDeps,
  limits: ReconcileRoundLimits,
  signal: AbortSignal,
): Promise<ReconcileRound> {
  if (!(await deps.index.isComparisonDue(limits.compareAllMs))) {
    const sample = await checkFileSample(deps, limits, signal);
    if (sample.missing + sample.wrongSizes === 0) return { kind: "sample", ...sample };
  }
  return { kind: "all", ...(await reconcileFiles(deps, limits, signal)) };
}
