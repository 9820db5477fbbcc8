import {
  runOutcomes,
  missedPolicies,
  overlapPolicies,
  scheduleStatuses,
  type RunCause,
  type SchedulePauseCause,
} from "@reports/core/schedule";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "./one-of.ts";
import { isDeleted, timeColumn, isUndeleted } from "./record-columns.ts";

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
    startsAt: timeColumn("starts_at"),
    endsAt: timeColumn("ends_at"),
    missed: text("missed", { enum: missedPolicies }).notNull(),
    missedWithinSeconds: integer("missed_within_seconds").notNull(),
    overlap: text("overlap", { enum: overlapPolicies }).notNull(),
    status: text("status", { enum: scheduleStatuses }).notNull(),
    pausedBecause: text("paused_because").$type<SchedulePauseCause>(),
    nextFireAt: timeColumn("next_fire_at"),
    /** The instant after which the next run was searched, with the time zone rules of version `tzVersion`. */
    countedFrom: timeColumn("counted_from").notNull(),
    tzVersion: text("tz_version").notNull(),
    heldFor: timeColumn("held_for"),
    owner: text("owner").notNull(),
    ownerName: text("owner_name"),
    /** The authority that the owner must have for the report type. For a local user it is checked at each run. */
    requiredAuthority: text("required_authority"),
    confirmedAt: timeColumn("confirmed_at").notNull().defaultNow(),
    /** Only reports created after this time count as failures in a row. Set when the schedule is created, changed or resumed. */
    failuresFrom: timeColumn("failures_from").notNull().defaultNow(),
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    fires: bigint("fires", { mode: "number" }).notNull().default(0),
    createdAt: timeColumn("created_at").notNull().defaultNow(),
    updatedAt: timeColumn("updated_at").notNull().defaultNow(),
    deletedAt: timeColumn("deleted_at"),
  },
  (table) => [
    index("report_schedules_due_index")
      .on(table.nextFireAt)
      .where(sql`${table.status} = 'ACTIVE' and ${table.deletedAt} is null`),
    index("report_schedules_owner_index").on(table.owner, table.createdAt, table.id).where(isUndeleted(table)),
    index("report_schedules_created_at_index").on(table.createdAt, table.id).where(isUndeleted(table)),
    index("report_schedules_deleted_at_index").on(table.deletedAt).where(isDeleted(table)),
    check("report_schedules_status_check", oneOf(table.status, scheduleStatuses)),
    check("report_schedules_missed_check", oneOf(table.missed, missedPolicies)),
    check("report_schedules_overlap_check", oneOf(table.overlap, overlapPolicies)),
    check("report_schedules_next_fire_check", sql`(${table.status} = 'ACTIVE') = (${table.nextFireAt} is not null)`),
  ],
);

/** The outcome of each time at which a schedule ran or should have run. The unique key prevents two runs for one time. */
export const reportScheduleRuns = pgTable(
  "report_schedule_fires",
  {
    id: uuid("id").primaryKey(),
    scheduleId: uuid("schedule_id").notNull(),
    scheduledFor: timeColumn("scheduled_for").notNull(),
    firedAt: timeColumn("fired_at").notNull().defaultNow(),
    outcome: text("outcome", { enum: runOutcomes }).notNull(),
    because: text("because").$type<RunCause>(),
    /** The report may no longer exist, because callers and retention remove reports. */
    reportId: uuid("report_id"),
    count: integer("count").notNull().default(1),
  },
  (table) => [
    foreignKey({
      name: "report_schedule_fires_schedule_id_fkey",
      columns: [table.scheduleId],
      foreignColumns: [reportSchedules.id],
    }).onDelete("cascade"),
    unique("report_schedule_fires_schedule_id_scheduled_for_key").on(table.scheduleId, table.scheduledFor),
    index("report_schedule_fires_fired_at_index").on(table.firedAt),
    check("report_schedule_fires_outcome_check", oneOf(table.outcome, runOutcomes)),
    check("report_schedule_fires_report_check", sql`(${table.outcome} = 'STARTED') = (${table.reportId} is not null)`),
  ],
);
