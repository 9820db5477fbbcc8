import type { Caller } from "../load/caller.ts";
import type { Ledger } from "../load/ledger.ts";
import type { Stand } from "../stand/stand.ts";
import { judgeClockJumps } from "./clock-jumps.ts";
import { judgeFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { judgeRecords } from "./invariants.ts";
import { judgeKeptFiles, type watchFiles } from "./kept-files.ts";
import type { watchLocks } from "./locks.ts";
import { judgeLongFaults } from "./judge-long-faults.ts";
import type { References } from "./references.ts";
import type { Snapshot } from "./snapshot.ts";
import { judgeSweep } from "./sweep.ts";
import { judgeUnhandled } from "./unhandled.ts";

export interface Evidence {
  readonly stand: Stand;
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly snapshot: Snapshot;
  readonly references: References;
  readonly locks: ReturnType<typeof watchLocks>;
  readonly kept: ReturnType<typeof watchFiles>;
  readonly say: (line: string) => void;
}

/** Every invariant that holds under all faults, by name, and those of the scenario. */
export async function judgeAll(evidence: Evidence, own: readonly Finding[] = []): Promise<readonly Finding[]> {
  const { stand, caller, ledger, snapshot, references, locks, kept, say } = evidence;
  const findings = [
    ...own,
    ...judgeRecords(ledger, snapshot),
    ...judgeClockJumps(ledger),
    await judgeFiles(caller, ledger, snapshot, references, say),
    locks.judge(),
    await judgeKeptFiles(stand, ledger, snapshot, kept.looks),
    await judgeSweep(stand, snapshot, ledger.damaged),
    // After the sweep, which must not remove files kept for the operator.
    ...(await judgeLongFaults(stand, ledger, snapshot)),
    await judgeUnhandled(stand.folder),
  ];
  return findings.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
}
