import type { Ledger } from "../load/ledger.ts";
import { shardedTypeName } from "../report-types.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { DatabaseState } from "./database-state.ts";

export interface ShardedReport {
  readonly id: string;
  readonly rowCount: number;
  readonly warningCodes: readonly string[];
}

export async function readShardedReports({ retryingSql }: TortureStand): Promise<readonly ShardedReport[]> {
  return retryingSql<ShardedReport[]>`
    select id, row_count::float8 as "rowCount", warning_codes as "warningCodes" from reports
    where report_type = ${shardedTypeName} and status = 'SUCCEEDED' and not holds_rows`;
}

const allRows = 80;

export function checkShardedReports(reports: readonly ShardedReport[], kills: number): InvariantResult {
  return createInvariantResult(
    "SH1",
    "every SUCCEEDED report of the sharded source has the rows of all shards and the warning SNAPSHOT_NOT_GLOBAL",
    `${reports.length} reports, ${kills} kills of the shard`,
    [
      ...(reports.length === 0 ? [[null, "no report of the sharded source SUCCEEDED"] as const] : []),
      ...reports.flatMap(({ id, rowCount, warningCodes }) => [
        ...(rowCount === allRows ? [] : [[id, `has ${rowCount} rows, not ${allRows}`] as const]),
        ...(warningCodes.includes("SNAPSHOT_NOT_GLOBAL")
          ? []
          : [[id, "lacks the warning SNAPSHOT_NOT_GLOBAL"] as const]),
      ]),
    ],
  );
}

export async function checkShardOutages(
  { retryingSql }: TortureStand,
  { entries }: Ledger,
  { records }: DatabaseState,
): Promise<InvariantResult> {
  const failures = await retryingSql<{ id: string; failures: number }[]>`
    select id, failures from reports where failures > 0`;
  const others = [...records.values()].filter(({ reportType }) => reportType !== shardedTypeName);
  return createInvariantResult(
    "SH2",
    "a shard that is down costs no report a failure, and reports of other sources need one attempt",
    `${entries.size} reports and files, ${others.length} of them of other sources`,
    [
      ...failures.map((report) => [report.id, `has ${report.failures} failures`] as const),
      ...others.flatMap(({ id, attempt }) => (attempt > 1 ? [[id, `took ${attempt} attempts`] as const] : [])),
    ],
  );
}
