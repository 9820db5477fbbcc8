import {
  progressPhases,
  reportLanes,
  reportStatuses,
  type RequeueCause,
  type ReportErrorCode,
} from "@reports/core/base";
import type { ReportOptions } from "@reports/core/report";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { cascadingKey, timestampColumn, textListColumn } from "./record-columns.ts";

export const reports = pgTable(
  "reports",
  {
    id: uuid("id").primaryKey(),
    reportType: text("report_type").notNull(),
    definitionVersion: integer("definition_version").notNull(),
    title: text("title").notNull(),
    status: text("status", { enum: reportStatuses }).notNull(),
    searchParam: jsonb("search_param").$type<SearchParam>().notNull(),
    /**
     * The filters as the caller wrote them, for example with relative times. Null in records of earlier versions, where `searchParam` has the
     * filters.
     */
    searchParamGiven: jsonb("search_param_given").$type<SearchParam>(),
    options: jsonb("options").$type<ReportOptions>().notNull(),
    requestedBy: text("requested_by").notNull(),
    requesterName: text("requester_name"),
    scheduleId: uuid("schedule_id"),
    /**
     * The caller who ran a schedule by hand, and whose limits apply to the report. If null, the requester's limits apply, but a run at a scheduled
     * time has no limits.
     */
    countedFor: text("counted_for"),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    startedAt: timestampColumn("started_at"),
    finishedAt: timestampColumn("finished_at"),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
    expiresAt: timestampColumn("expires_at"),
    dataAsOf: timestampColumn("data_as_of"),
    progressPhase: text("progress_phase", { enum: progressPhases }).notNull(),
    rowsDone: bigint("rows_done", { mode: "number" }).notNull().default(0),
    rowsTotal: bigint("rows_total", { mode: "number" }),
    percent: integer("percent"),
    attempt: integer("attempt").notNull().default(0),
    failures: integer("failures").notNull().default(0),
    maxFailures: integer("max_failures").notNull(),
    rowCount: bigint("row_count", { mode: "number" }),
    fileId: uuid("file_id"),
    fileName: text("file_name"),
    fileExtension: text("file_extension"),
    fileContentType: text("file_content_type"),
    fileSizeBytes: bigint("file_size_bytes", { mode: "number" }),
    fileSha256: text("file_sha256"),
    fileColumns: text("file_columns").array(),
    fileStorageKey: text("file_storage_key"),
    /** Version ID that the store gave to the published file. Null for files that older versions of the service stored. */
    fileStoredVersion: text("file_stored_version"),
    /** Messages of warnings. `warningCodes` holds their codes in the same order, but older records have none. */
    warnings: textListColumn("warnings"),
    warningCodes: textListColumn("warning_codes"),
    errorCode: text("error_code").$type<ReportErrorCode>(),
    errorDetail: text("error_detail"),
    errorRetryable: boolean("error_retryable"),
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    traceparent: text("traceparent"),
    requestId: text("request_id"),
    coalesceKey: text("coalesce_key"),
    lane: text("lane", { enum: reportLanes }).notNull().default("quick"),
    /** Attempts that ended because their worker died. They don't count as failures. */
    losses: integer("losses").notNull().default(0),
    /** How often workers have requeued the report because they don't serve it. The next column holds the time of the first requeue. */
    requeues: integer("hand_backs").notNull().default(0),
    firstRequeuedAt: timestampColumn("first_handed_back_at"),
    /** The cause of the last requeue. A claim sets it to null. */
    requeuedBecause: text("handed_back_because").$type<RequeueCause>(),
    spoolExceededBytes: bigint("spool_exceeded_bytes", { mode: "number" }),
    /** The authority that the requester must have. For a local user, it is checked again when the report runs. */
    requiredAuthority: text("required_authority"),
    workerId: text("worker_id"),
    leaseExpiresAt: timestampColumn("lease_expires_at"),
    deletedAt: timestampColumn("deleted_at"),
    /** ID of the report to which this additional format or row snapshot belongs. Null for a report itself. */
    fileOf: uuid("file_of"),
    /** Whether this record is the row snapshot of `fileOf`. Callers never see it. Its file expires and is verified like any other file. */
    isRowSnapshot: boolean("holds_rows").notNull().default(false),
    dataSha256: text("data_sha256"),
  },
  (table) => [
    // Only one unfinished report can have a key. Concurrent equal starts therefore share one report.
    uniqueIndex("reports_coalesce_key_unique")
      .on(table.coalesceKey)
      .where(sql`${table.status} in ('QUEUED', 'RUNNING') and ${table.deletedAt} is null`),
    // These indexes serve lists, which are read per type because callers may see only some types: docs/decisions/0019. Conditions on the columns
    // after `id` need no access to the table: docs/decisions/0087.
    index("reports_type_created_at_index")
      .on(table.reportType, table.createdAt, table.id, table.fileOf)
      .where(sql`${table.deletedAt} is null`),
    index("reports_type_finished_at_index")
      .on(table.reportType, table.finishedAt, table.id, table.fileOf)
      .where(sql`${table.deletedAt} is null`),
    // Most old reports are EXPIRED. With one index by time for all states, a list of another state would read them all.
    index("reports_type_status_created_at_index")
      .on(table.reportType, table.status, table.createdAt, table.id, table.fileOf, sql`(${table.options} ->> 'format')`)
      .where(sql`${table.deletedAt} is null`),
    index("reports_type_status_finished_at_index")
      .on(
        table.reportType,
        table.status,
        table.finishedAt,
        table.id,
        table.fileOf,
        sql`(${table.options} ->> 'format')`,
      )
      .where(sql`${table.deletedAt} is null`),
    // Finds the rare reports outside the ranges of `finishedAt` in which lists search: finishedRanges of report-list.ts.
    index("reports_type_unusual_duration_index")
      .on(table.reportType, table.finishedAt, table.id)
      .where(
        sql`${table.deletedAt} is null and ${table.finishedAt} - ${table.createdAt} not between interval '0' and interval '24 hours'`,
      ),
    index("reports_type_format_index")
      .on(table.reportType, sql`(${table.options} ->> 'format')`, table.createdAt, table.id, table.fileOf)
      .where(sql`${table.deletedAt} is null`),
    index("reports_requested_by_type_created_at_index")
      .on(
        table.requestedBy,
        table.reportType,
        table.createdAt,
        table.id,
        table.fileOf,
        table.status,
        sql`(${table.options} ->> 'format')`,
        table.finishedAt,
      )
      .where(sql`${table.deletedAt} is null`),
    index("reports_schedule_type_created_at_index")
      .on(
        table.scheduleId,
        table.reportType,
        table.createdAt,
        table.id,
        table.fileOf,
        table.status,
        sql`(${table.options} ->> 'format')`,
        table.requestedBy,
        table.finishedAt,
      )
      .where(sql`${table.scheduleId} is not null and ${table.deletedAt} is null`),
    index("reports_schedule_open_index")
      .on(table.scheduleId)
      .where(
        sql`${table.scheduleId} is not null and ${table.status} in ('QUEUED', 'RUNNING') and ${table.deletedAt} is null`,
      ),
    index("reports_schedule_failed_index")
      .on(table.scheduleId)
      .where(
        sql`${table.scheduleId} is not null and ${table.status} = 'FAILED' and not ${table.errorRetryable} and ${table.deletedAt} is null`,
      ),
    index("reports_open_index")
      .on(table.requestedBy, table.createdAt)
      .where(sql`${table.status} in ('QUEUED', 'RUNNING')`),
    index("reports_open_counted_index")
      .on(table.countedFor, table.createdAt)
      .where(sql`${table.countedFor} is not null and ${table.status} in ('QUEUED', 'RUNNING')`),
    index("reports_queued_index")
      .on(table.lane, table.createdAt, table.id)
      .where(sql`${table.status} = 'QUEUED' and ${table.deletedAt} is null`),
    index("reports_handed_back_index")
      .on(table.reportType)
      .where(sql`${table.requeuedBecause} is not null and ${table.status} = 'QUEUED' and ${table.deletedAt} is null`),
    // Finds running reports. It must not contain the lease, because every renewal would then write to the index.
    index("reports_held_index")
      .on(table.id)
      .where(sql`${table.workerId} is not null`),
    index("reports_expires_at_index")
      .on(table.expiresAt)
      .where(sql`${table.status} = 'SUCCEEDED'`),
    index("reports_ended_at_index")
      .on(sql`(coalesce(${table.deletedAt}, ${table.finishedAt}))`)
      .where(sql`${table.deletedAt} is not null or ${table.status} in ('FAILED', 'CANCELLED', 'EXPIRED')`),
    uniqueIndex("reports_file_storage_key_unique").on(table.fileStorageKey),
    index("reports_file_of_index")
      .on(table.fileOf, table.createdAt, table.id)
      .where(sql`${table.fileOf} is not null`),
    index("reports_open_files_index")
      .on(table.expiresAt)
      .where(sql`${table.fileOf} is not null and ${table.status} in ('QUEUED', 'RUNNING')`),
    cascadingKey("reports_file_of_fkey", table.fileOf, table.id),
    check("reports_holds_rows_check", sql`not ${table.isRowSnapshot} or ${table.fileOf} is not null`),
    check("reports_lane_check", oneOfCheckSql(table.lane, reportLanes)),
    check("reports_status_check", oneOfCheckSql(table.status, reportStatuses)),
    check("reports_progress_phase_check", oneOfCheckSql(table.progressPhase, progressPhases)),
    check("reports_percent_check", sql`${table.percent} between 0 and 100`),
    // Error codes have no check constraint. Several versions of the service use the table during a deployment, and new codes need no migration.
    check("reports_file_check", sql`(${table.status} = 'SUCCEEDED') = (${table.fileId} is not null)`),
    check("reports_error_check", sql`(${table.status} = 'FAILED') = (${table.errorCode} is not null)`),
    check(
      "reports_file_whole_check",
      sql`num_nulls(${table.fileId}, ${table.fileName}, ${table.fileExtension}, ${table.fileContentType}, ${table.fileSizeBytes}, ${table.fileSha256}, ${table.fileColumns}, ${table.fileStorageKey}) in (0, 8)`,
    ),
  ],
);
