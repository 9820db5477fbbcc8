import type { LoadClient } from "../load/load-client.ts";
import type { Ledger } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { checkClockJumps } from "./clock-jumps.ts";
import { checkDownloadedFiles } from "./files.ts";
import type { InvariantResult } from "./invariant-result.ts";
import { checkRecords } from "./invariants.ts";
import { checkPublishedFiles, type watchPublishedFiles } from "./named-files.ts";
import type { watchDeadWorkerLocks } from "./locks.ts";
import { checkLongFaults } from "./check-long-faults.ts";
import type { ReferenceFiles } from "./reference-files.ts";
import type { DatabaseState } from "./database-state.ts";
import { checkReconciler } from "./reconciler.ts";
import { checkUnhandledErrors } from "./unhandled-errors.ts";

export interface RunEvidence {
  readonly stand: TortureStand;
  readonly caller: LoadClient;
  readonly ledger: Ledger;
  readonly snapshot: DatabaseState;
  readonly references: ReferenceFiles;
  readonly locks: ReturnType<typeof watchDeadWorkerLocks>;
  readonly fileWatch: ReturnType<typeof watchPublishedFiles>;
  readonly say: (line: string) => void;
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
