import type { LoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { checkClockJumps } from "./clock-jumps.ts";
import { checkDownloadedFiles } from "./files.ts";
import type { InvariantResult } from "./invariant-result.ts";
import { checkRecords } from "./invariants.ts";
import { checkPublishedFiles, watchPublishedFiles } from "./named-files.ts";
import { watchDeadWorkerLocks } from "./locks.ts";
import { checkLongFaults } from "./check-long-faults.ts";
import type { ReferenceFiles } from "./reference-files.ts";
import type { DatabaseState } from "./database-state.ts";
import { checkReconciler } from "./reconciler.ts";
import { checkUnhandledErrors } from "./unhandled-errors.ts";

interface RunEvidence extends ReturnType<typeof watchRun> {
  readonly snapshot: DatabaseState;
  readonly references: ReferenceFiles;
  readonly say: (line: string) => void;
}

/** Begins the checks that last for the whole run. Returns what `checkAllInvariants` needs at the end. */
export function watchRun(stand: TortureStand, caller: LoadClient) {
  const ledger = createLedger();
  const watches = new DisposableStack();
  const locks = watches.use(watchDeadWorkerLocks(stand, ledger));
  const fileWatch = watches.use(watchPublishedFiles(stand, ledger));
  return { stand, caller, ledger, locks, fileWatch, [Symbol.dispose]: () => watches.dispose() };
}

export async function checkAllInvariants(
  evidence: RunEvidence,
  own: readonly InvariantResult[] = [],
): Promise<readonly InvariantResult[]> {
  const { stand, caller, ledger, snapshot, references, locks, fileWatch, say } = evidence;
  const findings = [
    ...own,
    ...checkRecords(ledger, snapshot),
    ...checkClockJumps(ledger),
    await checkDownloadedFiles(caller, ledger, snapshot, references, say),
    locks.check(),
    await checkPublishedFiles(stand, ledger, snapshot, fileWatch.checks),
    await checkReconciler(stand, snapshot, ledger.damaged),
    // Comes after checkReconciler, so that it finds damaged files which the reconciler has removed. The reconciler must keep these.
    ...(await checkLongFaults(stand, ledger, snapshot)),
    await checkUnhandledErrors(stand.folder),
  ];
  return findings.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
}
