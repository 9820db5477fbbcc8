import { compareFiles, findMissingFiles, type OnFileDifferences } from "./compare-files.ts";
import type { ReconciliationStore } from "./reconciliation-store.ts";
import {
  countUnrepairedDifferences,
  computeMissingFileGraceMs,
  readKeyPages,
  type ReconcileDeps,
  type ReconcileLimits,
  type ReconcileOutcome,
} from "./reconcile.ts";

/**
 * The step that a round of the reconciler would take for a key. `unknown` means no step, because the file may belong to another deployment.
 * `wrong-size` means that a worker would read the file again.
 */
export type PlannedReconcileStep = "schedule" | "remove" | "expire" | "unknown" | "wrong-size";

export interface PlanReconciliationDeps extends Pick<ReconcileDeps, "identity" | "now"> {
  readonly index: Pick<ReconciliationStore, "unnamed" | "named" | "known" | "scheduledAmong" | "recentRepairs">;
  readonly files: Pick<ReconcileDeps["files"], "list" | "stat">;
}

const pageSize = 500;

/**
 * Plans a round of the reconciler without changing anything, and calls `onStep` for each key. A difference that no earlier round found is only
 * counted. Rejects as reconcileFiles does.
 */
export async function planReconciliation(
  deps: PlanReconciliationDeps,
  limits: ReconcileLimits,
  onStep: (step: PlannedReconcileStep, key: string) => void,
  signal: AbortSignal,
): Promise<ReconcileOutcome> {
  const { index, files } = deps;
  await deps.identity.assert({ signal });
  const count = { schedule: 0, remove: 0, expire: 0, unknown: 0, "wrong-size": 0 };
  const plan = (step: PlannedReconcileStep, keys: readonly string[]): void => {
    count[step] += keys.length;
    for (const key of keys) onStep(step, key);
  };
  const onDifference: OnFileDifferences = async (kind, keys) => {
    if (kind === "unknown-report") plan("unknown", keys);
    else if (kind === "wrong-size") plan("wrong-size", keys);
  };
  const found = await compareFiles(deps, limits, onDifference, signal);
  const refused = await countUnrepairedDifferences(index, found, limits);
  if (refused.unnamed === 0) {
    const read = async (after: string | null) => index.known("no-record", limits.confirmAfterMs, after, pageSize);
    for await (const keys of readKeyPages(pageSize, read)) {
      const orphans = await planOrphans(deps, keys, limits, signal);
      const scheduled = await index.scheduledAmong(orphans);
      const fresh = orphans.filter((key) => !scheduled.has(key));
      plan("schedule", fresh);
      plan("remove", limits.trashMs === 0 ? orphans : orphans.filter((key) => scheduled.get(key) === true));
    }
  }
  if (refused.missing === 0) {
    const read = async (after: string | null) =>
      index.known("no-object", computeMissingFileGraceMs(limits), after, pageSize);
    for await (const keys of readKeyPages(pageSize, read)) plan("expire", await findMissingFiles(files, keys, signal));
  }
  return {
    ...found,
    scheduled: count.schedule,
    removed: count.remove,
    expired: count.expire,
    abortedUploads: 0,
    refused: refused.unnamed + refused.missing,
  };
}

async function planOrphans(
  { index, files, now }: PlanReconciliationDeps,
  keys: readonly string[],
  { minAgeMs, recordRetentionMs }: ReconcileLimits,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const orphans: string[] = [];
  for (const { key, isReportKnown } of await index.unnamed(keys)) {
    const stat = await files.stat(key, { signal });
    if (stat === null) continue;
    const ageMs = now().getTime() - stat.lastModified.getTime();
    if (ageMs > minAgeMs && (isReportKnown || ageMs >= recordRetentionMs)) orphans.push(key);
  }
  return orphans;
}
