import { initialProgress, type NewReport, type Report } from "@reports/core/report";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import { toQueuedReport } from "./report-row.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

// The first event of a manual run of a schedule names the caller (`counted_for`). enqueue_reports must stay volatile: a stable function would not see
// the rows that this statement inserts.
const insertStatement = prepareStatement(
  sql`
    with report as (
      insert into ${reports} (
        id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, progress_phase,
        max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of, expires_at)
      select
        id, report_type, definition_version, title, 'QUEUED', search_param, nullif(search_param_given, search_param), options, requested_by, requester_name,
        schedule_id, ${initialProgress.phase}, max_failures, traceparent, request_id, coalesce_key, lane, required_authority, counted_for, file_of,
        (select expires_at from ${reports} as source where source.id = given.file_of)
      from jsonb_to_recordset(${sql.placeholder("reports")}::jsonb) as given (
        id uuid, report_type text, definition_version integer, title text, search_param jsonb, search_param_given jsonb, options jsonb, requested_by text,
        requester_name text, schedule_id uuid, max_failures integer, traceparent text, request_id text, coalesce_key text, lane text,
        required_authority text, counted_for text, file_of uuid)
      on conflict (coalesce_key) where status in ('QUEUED', 'RUNNING') and deleted_at is null do nothing
      returning id, status, attempt, created_at, expires_at, requested_by, schedule_id, counted_for
    ), event as (
      insert into ${reportEvents} (report_id, to_status, attempt, actor)
      select id, status, attempt, coalesce(counted_for, 'schedule:' || schedule_id, requested_by) from report
    )
    select array_to_string(array_agg(id), ',') as ids, min(created_at) as created_at, min(expires_at) as expires_at, enqueue_reports(array_agg(id), 0, 0)
    from report having count(*) > 0`,
);

/**
 * Writes reports with their first events and jobs, in one statement. Returns the reports in the given order. Writes nothing and returns null for a
 * report if an unfinished report has its coalesceKey. Pass an additional format alone, because all reports of a call get the same expiry.
 */
export async function insertQueuedReports(
  tx: Queries,
  given: readonly NewReport[],
): Promise<readonly (Report | null)[]> {
  // Postgres locks the coalesce keys in the order of the rows. With the same order in all transactions, they don't deadlock.
  const sorted = given.toSorted((one, other) => compareTexts(one.coalesceKey ?? "", other.coalesceKey ?? ""));
  const [row] = await insertStatement(tx, { reports: JSON.stringify(sorted.map(toRow)) });
  if (row === undefined) return given.map(() => null);
  const written = new Set((row["ids"] as string).split(","));
  const createdAt = new Date(row["created_at"] as string);
  const expiresAt = row["expires_at"] === null ? null : new Date(row["expires_at"] as string);
  return given.map((report) => (written.has(report.id) ? toQueuedReport(report, createdAt, expiresAt) : null));
}

function toRow(report: NewReport): object {
  return {
    id: report.id,
    report_type: report.reportType,
    definition_version: report.definitionVersion,
    title: report.title,
    search_param: report.searchParam,
    search_param_given: report.searchParamGiven,
    options: report.options,
    requested_by: report.requestedBy,
    requester_name: report.requesterName,
    schedule_id: report.scheduleId,
    max_failures: report.maxFailures,
    traceparent: report.traceparent,
    request_id: report.requestId,
    coalesce_key: report.coalesceKey,
    lane: report.lane ?? "quick",
    required_authority: report.requiredAuthority,
    counted_for: report.countedFor,
    file_of: report.fileOf,
  };
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
