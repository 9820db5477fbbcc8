import { closeLaneFault } from "../faults/close-lane-fault.ts";
import { findRecordedViolations, type Ledger } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { DatabaseState } from "./database-state.ts";

export async function checkLongFaults(
  stand: Pick<TortureStand, "files">,
  ledger: Ledger,
  snapshot: DatabaseState,
): Promise<readonly InvariantResult[]> {
  const closed = ledger.faults.get(closeLaneFault.name) ?? 0;
  return [
    ...(ledger.refused.size > 0 ? [checkRefused(ledger, snapshot)] : []),
    ...(closed > 0
      ? [
          createInvariantResult(
            "Q1",
            "a lane without a worker affects no starts or reports of other lanes, and a cancelled report leaves no job",
            `${closed} times`,
            findRecordedViolations(ledger, "Q1"),
          ),
        ]
      : []),
    ...(ledger.damaged.size > 0 ? [await checkDamaged(stand, ledger, snapshot)] : []),
  ];
}

function checkRefused({ refused }: Ledger, { records }: DatabaseState): InvariantResult {
  const byTitle = new Map([...records.values()].map((record) => [record.title, record]));
  const responses = Map.groupBy(refused.values(), (status) => status);
  return createInvariantResult(
    "I12",
    "a start that got another response than 202 does not exist afterwards",
    `${refused.size} starts: ${[...responses].map(([status, group]) => `${status} ${group.length}`).join(", ")}`,
    [...refused].flatMap(([title, status]) => {
      const record = byTitle.get(title);
      return record === undefined ? [] : [[record.id, `(${title}) got ${status}, but is ${record.status}`] as const];
    }),
  );
}

async function checkDamaged(
  { files }: Pick<TortureStand, "files">,
  ledger: Ledger,
  { records, events }: DatabaseState,
): Promise<InvariantResult> {
  const violations = findRecordedViolations(ledger, "B1");
  for (const [id, key] of ledger.damaged) {
    const record = records.get(id);
    if (record === undefined || record.deleted) continue;
    const because = events.get(id)?.findLast(({ to }) => to === "EXPIRED")?.because;
    if (record.status !== "EXPIRED") violations.push([id, `is ${record.status} although its file was damaged`]);
    else if (because !== "FILE_DAMAGED") violations.push([id, `is EXPIRED because of ${because}, not FILE_DAMAGED`]);
    if ((await files.stat(key)) === null) violations.push([id, `the damaged file ${key} is not kept`]);
  }
  return createInvariantResult(
    "B1",
    "a damaged file is never delivered as complete; its report becomes EXPIRED, and the file is kept",
    `${ledger.damaged.size} files damaged`,
    violations,
  );
}
