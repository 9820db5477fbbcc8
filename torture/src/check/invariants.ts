import { isTerminal } from "@reports/core/report";
import type { Ledger } from "../load/ledger.ts";
import { poisonTypeNames } from "../report-types.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import { findReportHistoryProblems } from "./history.ts";
import { checkRecoveryTimes, checkOrphanedRenderers } from "./recovery.ts";
import type { SeenRecord, DatabaseState } from "./database-state.ts";

export function checkRecords(ledger: Ledger, snapshot: DatabaseState): InvariantResult[] {
  const { entries } = ledger;
  const { events, jobs } = snapshot;
  const records = [...snapshot.records.values()];
  const acknowledged = [...entries.values()];
  const terminal = records.filter(({ status }) => isTerminal(status));
  const failed = records.filter(({ status }) => status === "FAILED");
  const poisonous = records.filter(({ reportType }) => poisonTypeNames.includes(reportType));
  const byStatus = Object.entries(Object.groupBy(records, ({ status }) => status)).map(
    ([status, group]) => `${status} ${group.length}`,
  );
  const byKey = Map.groupBy(
    records.filter(({ key }) => key !== null),
    ({ key }) => key!,
  );
  // The record of a row snapshot is written when its report ends. It has no history.
  const withHistory = records.filter(({ holdsRows }) => !holdsRows);
  const histories = [...events.keys()].filter((id) => snapshot.records.get(id)?.holdsRows !== true);
  // The harness sends every idempotency key as a different principal, so each principal must have exactly one record. Another invariant checks the
  // reports of schedules.
  const byCaller = Map.groupBy(
    withHistory.filter(({ scheduleId }) => scheduleId === null),
    ({ requestedBy }) => requestedBy,
  );

  return [
    createInvariantResult(
      "I1",
      "every acknowledged report has a record, one per key",
      `${acknowledged.length} acknowledged, ${records.length} records`,
      [
        ...acknowledged
          .filter(({ id }) => !snapshot.records.has(id))
          .map(({ id, key }) => [id, `(${key}) has no record`] as const),
        ...[...byCaller]
          .filter(([, group]) => group.length > 1)
          .map(([caller, group]) => [group[0]!.id, `${group.length} records of ${caller}`] as const),
      ],
    ),
    createInvariantResult(
      "I2",
      "every record is terminal",
      `${terminal.length} of ${records.length}`,
      records.filter(({ status }) => !isTerminal(status)).map(({ id, status }) => [id, `is still ${status}`]),
    ),
    createInvariantResult(
      "I4",
      "at most one record names an object",
      `${byKey.size} objects named`,
      [...byKey]
        .filter(([, group]) => group.length > 1)
        .map(([key, group]) => [group[0]!.id, `and ${group.length - 1} more name ${key}`]),
    ),
    createInvariantResult(
      "I5",
      "no job is left",
      `${jobs.length} jobs`,
      jobs.map(({ id, reportId, locked, spent }) => [
        reportId,
        `has job ${id} left (${locked ? "locked" : spent ? "spent" : "waiting"})`,
      ]),
    ),
    createInvariantResult(
      "I8",
      "histories are legal: transitions, consecutive attempts, one end, paced retries",
      `${[...events.values()].reduce((sum, list) => sum + list.length, 0)} events, ${Math.max(0, ...records.map(({ attempt }) => attempt))} attempts at most`,
      withHistory.flatMap(({ id }) =>
        findReportHistoryProblems(events.get(id) ?? []).map((problem) => [id, problem] as const),
      ),
    ),
    createInvariantResult(
      "I9",
      "created = sum of the terminal states",
      byStatus.join(", ") + `; deleted ${records.filter(({ deleted }) => deleted).length}`,
      histories.length === withHistory.length && terminal.length === records.length
        ? []
        : [
            [
              null,
              `${histories.length} histories of ${withHistory.length}, ${terminal.length} ends, ${records.length} records`,
            ],
          ],
    ),
    createInvariantResult(
      "I10",
      "all poison pills are FAILED unless they were cancelled, and no other report is",
      `${poisonous.length} poison pills, ${failed.length} FAILED`,
      [
        ...failed
          .filter(({ reportType }) => !poisonTypeNames.includes(reportType))
          .filter((record) => !lostRowsByHarness(ledger, snapshot, record))
          .map(
            ({ id, reportType, error }) =>
              [id, `(${reportType}) is not a poison pill and FAILED with ${error}`] as const,
          ),
        ...poisonous
          .filter(({ status }) => status === "SUCCEEDED")
          .map(({ id }) => [id, "is a poison pill and SUCCEEDED"] as const),
      ],
    ),
    checkRecoveryTimes(ledger, snapshot),
    checkOrphanedRenderers(ledger),
    createInvariantResult(
      "L",
      "no client of the load got an unexpected response",
      `${acknowledged.length} starts`,
      ledger.loadErrors.map((what) => [null, what]),
    ),
  ];
}

/** Reports whether a rendition failed correctly, because the harness had removed the files of the store and so its row snapshot. */
function lostRowsByHarness(
  { timesWithoutFiles }: Pick<Ledger, "timesWithoutFiles">,
  { events }: Pick<DatabaseState, "events">,
  { id, fileOf, error }: SeenRecord,
): boolean {
  const at = events
    .get(id)
    ?.findLast(({ to }) => to === "FAILED")
    ?.at.getTime();
  return (
    fileOf !== null &&
    error === "ROWS_LOST" &&
    at !== undefined &&
    timesWithoutFiles.some(({ from, to }) => from <= at && at <= to)
  );
}
