import { initialProgress, type NewReport, type Report } from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import { toQueuedReport } from "./report-row.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

const given = (key: keyof NewReport & keyof typeof reports): SQL =>
  sql`${sql.param(sql.placeholder(key), reports[key])}`;

// The function sees the row that it is called with, because it is volatile.
const insert = prepareStatement(
  "insert_queued_report",
  sql`
    with report as (
      insert into ${reports} (
        id, report_type, definition_version, title, status, search_param, search_param_given, options, requested_by, requester_name, schedule_id, progress_phase,
        max_failures, traceparent, request_id, coalesce_key, lane, required_authority, file_of, expires_at)
      values (
        ${given("id")}, ${given("reportType")}, ${given("definitionVersion")}, ${given("title")}, 'QUEUED',
        ${given("searchParam")}, nullif(${given("searchParamGiven")}::jsonb, ${given("searchParam")}::jsonb), ${given("options")}, ${given("requestedBy")}, ${given("requesterName")}, ${given("scheduleId")}, ${initialProgress.phase},
        ${given("maxFailures")}, ${given("traceparent")}, ${given("requestId")}, ${given("coalesceKey")},
        ${given("lane")}, ${given("requiredAuthority")}, ${given("fileOf")},
        (select expires_at from ${reports} as source where source.id = ${given("fileOf")}))
      on conflict (coalesce_key) where status in ('QUEUED', 'RUNNING') and deleted_at is null do nothing
      returning id, status, attempt, created_at, expires_at, requested_by
    ), event as (
      insert into ${reportEvents} (report_id, to_status, attempt, actor) select id, status, attempt, requested_by from report
    )
    select created_at, expires_at, enqueue_reports(array[id], 0, 0) from report`,
);

/** Writes a report with its first event and its job, in one statement. Null, and nothing is written, when an open report has its coalesceKey. */
export async function insertQueued(tx: Queries, report: NewReport): Promise<Report | null> {
  const [row] = await insert(tx, {
    ...report,
    requestId: report.requestId ?? null,
    requesterName: report.requesterName ?? null,
    scheduleId: report.scheduleId ?? null,
    lane: report.lane ?? "quick",
    requiredAuthority: report.requiredAuthority,
    fileOf: report.fileOf ?? null,
  });
  if (row === undefined) return null;
  const expiresAt = row["expires_at"] as string | null;
  return toQueuedReport(report, new Date(row["created_at"] as string), expiresAt === null ? null : new Date(expiresAt));
}
