import {
  scheduleRunOutcomes,
  missedRunPolicies,
  overlapPolicies,
  scheduleStatuses,
  type ScheduleRunCause,
  type SchedulePauseCause,
} from "@reports/core/schedule";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { isDeleted, timestampColumn, isUndeleted, cascadingKey } from "./record-columns.ts";

export const reportSchedules = pgTable(
  "report_schedules",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    reportType: text("report_type").notNull(),
    definitionVersion: integer("definition_version").notNull(),
    searchParam: jsonb("search_param").$type<SearchParam>().notNull(),
    options: jsonb("options").$type<Readonly<Record<string, unknown>>>().notNull(),
    cron: text("cron").notNull(),
    timezone: text("timezone").notNull(),
    startsAt: timestampColumn("starts_at"),
    endsAt: timestampColumn("ends_at"),
    missed: text("missed", { enum: missedRunPolicies }).notNull(),
    missedWithinSeconds: integer("missed_within_seconds").notNull(),
    overlap: text("overlap", { enum: overlapPolicies }).notNull(),
    status: text("status", { enum: scheduleStatuses }).notNull(),
    pausedBecause: text("paused_because").$type<SchedulePauseCause>(),
    nextFireAt: timestampColumn("next_fire_at"),
    /** The instant after which the next run was searched, with the time zone rules of version `tzVersion`. */
    countedFrom: timestampColumn("counted_from").notNull(),
    tzVersion: text("tz_version").notNull(),
    heldFor: timestampColumn("held_for"),
    owner: text("owner").notNull(),
    ownerName: text("owner_name"),
    /**
     * The authority that the owner must have for the report type. Each run checks the current authorities of a local user. For other owners,
     * `confirmedAt` counts.
     */
    requiredAuthority: text("required_authority"),
    confirmedAt: timestampColumn("confirmed_at").notNull().defaultNow(),
    /** Only reports created after this time count as failures in a row. Set when the schedule is created, changed or resumed. */
    failuresFrom: timestampColumn("failures_from").notNull().defaultNow(),
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    fires: bigint("fires", { mode: "number" }).notNull().default(0),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
    deletedAt: timestampColumn("deleted_at"),
  },
  (table) => [
    index("report_schedules_due_index")
      .on(table.nextFireAt)
      .where(sql`${table.status} = 'ACTIVE' and ${table.deletedAt} is null`),
    index("report_schedules_owner_index").on(table.owner, table.createdAt, table.id).where(isUndeleted(table)),
    index("report_schedules_created_at_index").on(table.createdAt, table.id).where(isUndeleted(table)),
    index("report_schedules_deleted_at_index").on(table.deletedAt).where(isDeleted(table)),
    check("report_schedules_status_check", oneOfCheckSql(table.status, scheduleStatuses)),
    check("report_schedules_missed_check", oneOfCheckSql(table.missed, missedRunPolicies)),
    check("report_schedules_overlap_check", oneOfCheckSql(table.overlap, overlapPolicies)),
    check("report_schedules_next_fire_check", sql`(${table.status} = 'ACTIVE') = (${table.nextFireAt} is not null)`),
  ],
);

/** The outcome of each time at which a schedule ran or should have run. The unique key prevents two runs for one time. */
export const reportScheduleRuns = pgTable(
  "report_schedule_fires",
  {
    id: uuid("id").primaryKey(),
    scheduleId: uuid("schedule_id").notNull(),
    scheduledFor: timestampColumn("scheduled_for").notNull(),
    firedAt: timestampColumn("fired_at").notNull().defaultNow(),
    outcome: text("outcome", { enum: scheduleRunOutcomes }).notNull(),
    because: text("because").$type<ScheduleRunCause>(),
    /** The report may no longer exist, because callers and retention remove reports. */
    reportId: uuid("report_id"),
    count: integer("count").notNull().default(1),
  },
  (table) => [
    cascadingKey("report_schedule_fires_schedule_id_fkey", table.scheduleId, reportSchedules.id),
    unique("report_schedule_fires_schedule_id_scheduled_for_key").on(table.scheduleId, table.scheduledFor),
    index("report_schedule_fires_fired_at_index").on(table.firedAt),
    check("report_schedule_fires_outcome_check", oneOfCheckSql(table.outcome, scheduleRunOutcomes)),
    check("report_schedule_fires_report_check", sql`(${table.outcome} = 'STARTED') = (${table.reportId} is not null)`),
  ],
);
