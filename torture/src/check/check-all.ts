import type { Caller } from "../load/caller.ts";
import type { Ledger } from "../load/ledger.ts";
import type { Stand } from "../stand/stand.ts";
import { checkClockJumps } from "./clock-jumps.ts";
import { checkFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { checkRecords } from "./invariants.ts";
import { checkNamedFiles, type watchNamedFiles } from "./named-files.ts";
import type { watchLocks } from "./locks.ts";
import { checkLongFaults } from "./check-long-faults.ts";
import type { References } from "./references.ts";
import type { Snapshot } from "./snapshot.ts";
import { checkReconciler } from "./reconciler.ts";
import { checkUnhandledErrors } from "./unhandled-errors.ts";

export interface Evidence {
  readonly stand: Stand;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly snapshot: Snapshot;
  readonly references: References;
  readonly locks: ReturnType<typeof watchLocks>;
  readonly fileWatch: ReturnType<typeof watchNamedFiles>;
  readonly say: (line: string) => void;
}

export async function checkAll(evidence: Evidence, own: readonly Finding[] = []): Promise<readonly Finding[]> {
  const { stand, caller, ledger, snapshot, references, locks, fileWatch, say } = evidence;
  const findings = [
    ...own,
    ...checkRecords(ledger, snapshot),
    ...checkClockJumps(ledger),
    await checkFiles(caller, ledger, snapshot, references, say),
    locks.check(),
    await checkNamedFiles(stand, ledger, snapshot, fileWatch.checks),
    await checkReconciler(stand, snapshot, ledger.damaged),
    // Comes after checkReconciler, so that it finds damaged files which the reconciler has removed. The reconciler must keep these.
    ...(await checkLongFaults(stand, ledger, snapshot)),
    await checkUnhandledErrors(stand.folder),
  ];
  return findings.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
}
