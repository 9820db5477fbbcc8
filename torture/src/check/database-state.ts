import type { Report } from "@reports/core/report";
import type { ReportStatus } from "@reports/core/base";
import type { Ledger } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { computeTrueEventTime } from "./clock-jumps.ts";
import type { ReportHistoryEvent } from "./history.ts";

export interface SeenRecord {
  readonly id: string;
  readonly requestedBy: string;
  readonly fileOf: string | null;
  readonly holdsRows: boolean;
  readonly scheduleId: string | null;
  readonly reportType: string;
  readonly title: string;
  readonly status: ReportStatus;
  readonly attempt: Report["attempt"];
  readonly deleted: boolean;
  readonly key: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly rowCount: number | null;
  readonly error: string | null;
}

export interface SeenJob {
  readonly id: string;
  readonly reportId: string | null;
  readonly locked: boolean;
  readonly spent: boolean;
}

export interface DatabaseState {
  readonly records: ReadonlyMap<string, SeenRecord>;
  readonly events: ReadonlyMap<string, readonly ReportHistoryEvent[]>;
  readonly jobs: readonly SeenJob[];
}

export async function readDatabaseState(
  stand: TortureStand,
  { clockJumps }: Pick<Ledger, "clockJumps"> = { clockJumps: [] },
): Promise<DatabaseState> {
  const records = await stand.retryingSql<SeenRecord[]>`
    select id, requested_by as "requestedBy", file_of as "fileOf", holds_rows as "holdsRows", schedule_id as "scheduleId", report_type as "reportType", title, status, attempt, deleted_at is not null as deleted,
      file_storage_key as key, file_size_bytes::float8 as size, file_sha256 as sha256, row_count::float8 as "rowCount", error_code as error
    from reports`;
  const rows = await stand.retryingSql<(ReportHistoryEvent & { readonly id: number; readonly reportId: string })[]>`
    select id::float8 as id, report_id as "reportId", from_status as "from", to_status as "to", attempt, at,
      to_jsonb(report_events) ->> 'because' as because
    from report_events order by id`;
  const timed = rows.map((row) => ({ ...row, at: computeTrueEventTime(row, clockJumps) }));
  const events = Map.groupBy(timed, ({ reportId }) => reportId);
  return { records: new Map(records.map((record) => [record.id, record])), events, jobs: await readJobs(stand) };
}

export async function readJobs({ retryingSql }: TortureStand): Promise<readonly SeenJob[]> {
  return retryingSql<SeenJob[]>`
    select job.lane || ' ' || job.id as id, job.payload ->> 'reportId' as "reportId", job.locked_at is not null as locked,
      job.attempts >= job.max_attempts as spent
    from report_queue.jobs as job`;
}
