import { reconcileFiles, removeDueFiles } from "@reports/core/report";
import { createDatabase, createReconciliationStore, createFileRemovals } from "@reports/db";
import type { TortureStand } from "../stand/torture-stand.ts";
import { findUnmatchedFiles } from "./files.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { DatabaseState } from "./database-state.ts";

/** Limits of the reconciler for an idle stand. No file is being written, so every object without a record is an orphan, regardless of its age. */
const limits = {
  minAgeMs: -1_000,
  confirmAfterMs: 0,
  trashMs: 0,
  recordRetentionMs: 90 * 86_400_000,
  massCount: Infinity,
  massShare: 1,
  maxShare: 1,
};

export async function checkReconciler(
  stand: TortureStand,
  snapshot: DatabaseState,
  damaged: ReadonlyMap<string, string> = new Map(),
): Promise<InvariantResult> {
  // The service keeps damaged files, so that an operator can examine them.
  const kept = new Set(damaged.values());
  const before = await findUnmatchedFiles(stand, snapshot);
  const database = createDatabase({ url: stand.database.proxiedUrl });
  const signal = AbortSignal.timeout(600_000);
  const left: unknown[] = [];
  const deps = {
    index: createReconciliationStore(database),
    files: stand.files,
    // The store is no longer swapped, so its ID needs no check.
    identity: { assert: async () => undefined },
    now: () => new Date(),
    onRemovalError: (error: unknown) => void left.push(error),
  };
  // The worker's reconciler removes orphans only days after it has found them. This makes the removals due now.
  await stand.retryingSql`update file_removals set due_at = clock_timestamp()`;
  const removalDeps = { ...deps, removals: createFileRemovals(database) };
  let removed = await removeDueFiles(removalDeps, deps.onRemovalError, signal);
  let uploads = 0;
  for (let pass = 0; pass < 2; pass++) {
    const outcome = await reconcileFiles(deps, limits, signal);
    removed += outcome.removed;
    uploads += outcome.abortedUploads;
  }
  await database.close();
  const after = await findUnmatchedFiles(stand, snapshot);
  const stale = await stand.files.abortStaleUploads("reports/", new Date(Date.now() + 60_000));
  return createInvariantResult(
    "I7",
    "after the reconciler's run there is no orphan and no stale upload, and every named file is still there",
    `${before.orphans.length} orphans before the run, ${removed} files removed, ${uploads} uploads ended; ${after.orphans.length} orphans and ${stale} uploads after it`,
    [
      ...after.orphans
        .filter((key) => !kept.has(key))
        .map((key) => [key.split("/")[1] ?? null, `left ${key}`] as const),
      ...after.missing.map(({ id, key }) => [id, `names ${key}, which is not stored`] as const),
      ...left.map((error) => [null, `not removed: ${String(error)}`] as const),
      ...(stale > 0 ? [[null, `${stale} unfinished uploads`] as const] : []),
    ],
  );
}
