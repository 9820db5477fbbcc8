import { storedFieldNames } from "@reports/core/record";
import {
  scheduleListFilters,
  scheduleRecord,
  type Schedule,
  type ScheduleRun,
  type ScheduleSettings,
} from "@reports/core/schedule";
import { desc, eq, getTableColumns, inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { OwnedTableMapping } from "../collections/owned-store.ts";
import type { Queries } from "../database/queries.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";
import { reportScheduleRuns, reportSchedules } from "../schema/report-schedules.ts";

export type StoredSchedule = typeof reportSchedules.$inferSelect;

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const searchParamSchema = z.record(z.string(), z.union([scalarSchema, z.array(scalarSchema)]));
const optionsSchema = z.record(z.string(), z.unknown());

type ScheduleRow = Omit<Schedule, "lastFire">;
const columns: Readonly<Record<keyof ScheduleRow, PgColumn>> = selectFieldColumns(reportSchedules, [
  ...storedFieldNames(scheduleRecord),
  "definitionVersion",
  "ownerName",
  "requiredAuthority",
  "revision",
  "fires",
  "deletedAt",
]);
const fieldNames = Object.keys(columns) as (keyof ScheduleRow)[];

type WrittenField = Exclude<keyof ScheduleSettings | "status", "reportType">;
const writtenFields = scheduleRecord.rules.fields.filter((field) => field !== "reportType") as readonly WrittenField[];

const others = [
  "definitionVersion",
  "pausedBecause",
  "nextFireAt",
  "countedFrom",
  "tzVersion",
  "heldFor",
  "ownerName",
  "confirmedAt",
  "failuresFrom",
] as const;

export const scheduleTableMapping: OwnedTableMapping<
  typeof reportSchedules,
  ScheduleRow,
  Schedule,
  WrittenField,
  (typeof others)[number]
> = {
  table: reportSchedules,
  columns,
  written: writtenFields,
  others,
  filters: scheduleListFilters,
  attach: toSchedules,
};

async function toSchedules(queries: Queries, rows: readonly ScheduleRow[]): Promise<readonly Schedule[]> {
  if (rows.length === 0) return [];
  // Reads one row per schedule by an index, because a schedule can have thousands of runs.
  const newest = queries
    .select({ fireId: reportScheduleRuns.id })
    .from(reportScheduleRuns)
    .where(eq(reportScheduleRuns.scheduleId, reportSchedules.id))
    .orderBy(desc(reportScheduleRuns.scheduledFor))
    .limit(1)
    .as("newest");
  const latest = await queries
    .select(getTableColumns(reportScheduleRuns))
    .from(reportSchedules)
    .crossJoinLateral(newest)
    .innerJoin(reportScheduleRuns, eq(reportScheduleRuns.id, newest.fireId))
    .where(
      inArray(
        reportSchedules.id,
        rows.map(({ id }) => id),
      ),
    );
  const fires = new Map(latest.map((fire) => [fire.scheduleId, fire]));
  return rows.map((row) => toSchedule(row, fires.get(row.id) ?? null));
}

/** Converts a row to a schedule. Validates its JSON columns, because another version of the program may have written them. */
export function toSchedule(row: ScheduleRow, lastFire: ScheduleRun | null): Schedule {
  const record = Object.fromEntries(fieldNames.map((name) => [name, row[name]])) as unknown as ScheduleRow;
  return {
    ...record,
    searchParam: searchParamSchema.parse(row.searchParam),
    options: optionsSchema.parse(row.options),
    lastFire,
  };
}
