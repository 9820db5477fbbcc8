import { isDeepEqual } from "@reports/core/base";
import {
  scheduleRunFilters,
  ownerAuthorityStates,
  type Schedule,
  type ScheduleChange,
  type ScheduleSettings,
  type ScheduleStore,
} from "@reports/core/schedule";
import { and, eq, getTableColumns, inArray, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { createOwnedStore, listOwnedRecords } from "../collections/owned-store.ts";
import type { Database } from "../database/database.ts";
import { timeAgoSql, ownerSeenUpdateIntervalMs } from "../database/interval-sql.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { readListPage } from "../relations/list-page.ts";
import { createTableRelation } from "../relations/table-relation.ts";
import { reportScheduleRuns, reportSchedules } from "../schema/report-schedules.ts";
import { ownerAuthoritySql } from "./ownership.ts";
import { scheduleTableMapping } from "./schedule-row.ts";

const ownershipRowSchema = z.object({ ownership: z.enum(ownerAuthorityStates) });
const runsRelation = createTableRelation(reportScheduleRuns, getTableColumns(reportScheduleRuns));

export function createScheduleStore(database: Database, lists: ListConnectionPool): ScheduleStore {
  const schedules = createOwnedStore(database, scheduleTableMapping);
  return {
    find: schedules.find,
    remove: schedules.remove,
    list: (query, signal) =>
      lists.read(async (queries) => listOwnedRecords(queries, scheduleTableMapping, query), signal),
    async create(schedule, plan, most) {
      const { owner } = schedule;
      const ownerLimit = {
        code: "too-many",
        most,
        lock: `schedules:${owner}`,
        where: eq(reportSchedules.owner, owner),
      } as const;
      const created = await schedules.create([ownerLimit], (now) => ({
        ...schedule,
        ...plan(now),
        status: "ACTIVE",
        countedFrom: now,
      }));
      return created === "too-many" ? null : created;
    },
    change: (id, change) =>
      schedules.change<never>(id, (stored, now) => {
        const wanted = change(stored, now);
        if (wanted === null) return null;
        const { settings, status } = wanted;
        return { fields: { ...settings, status }, others: derivedColumns(stored, wanted, now) };
      }),
    listRuns: ({ scheduleId, ...query }, signal) =>
      lists.read(
        async (queries) =>
          readListPage(
            queries,
            {
              relation: runsRelation,
              filters: scheduleRunFilters,
              within: eq(reportScheduleRuns.scheduleId, scheduleId),
              rows: async ({ page, id, orderBy, keyset }) =>
                queries
                  .select({ row: reportScheduleRuns, keyset })
                  .from(reportScheduleRuns)
                  .innerJoin(page, eq(reportScheduleRuns.id, id))
                  .orderBy(orderBy),
            },
            query,
          ),
        signal,
      ),
    findRun: (scheduleId, id) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select()
          .from(reportScheduleRuns)
          .where(and(eq(reportScheduleRuns.scheduleId, scheduleId), eq(reportScheduleRuns.id, id)));
        return row ?? null;
      }),
    ownership: (id, confirmDays) =>
      database.query(async (queries) => {
        const [row] = await queries.select().from(reportSchedules).where(eq(reportSchedules.id, id));
        if (row === undefined) return "lost";
        const [found] = await queries.execute(sql`select ${ownerAuthoritySql(row, confirmDays)} as "ownership"`);
        return ownershipRowSchema.parse(found).ownership;
      }),
    confirmOwner: (owner, authorities) =>
      database.query(async (queries) => {
        if (authorities.length === 0) return 0;
        const rows = await queries
          .update(reportSchedules)
          .set({ confirmedAt: sql`clock_timestamp()` })
          .where(
            and(
              eq(reportSchedules.owner, owner),
              inArray(reportSchedules.requiredAuthority, [...authorities]),
              isNull(reportSchedules.deletedAt),
              lt(reportSchedules.confirmedAt, timeAgoSql(ownerSeenUpdateIntervalMs)),
            ),
          )
          .returning({ id: reportSchedules.id });
        return rows.length;
      }),
  };
}

/** Returns the columns that a change implies. Callers don't see `definitionVersion` and `confirmedAt`, which alone don't change the revision. */
function derivedColumns(
  stored: Schedule,
  { settings, definitionVersion, status, plan, confirms, ownerName }: ScheduleChange,
  now: Date,
) {
  const pauses = status === "PAUSED" && stored.status === "ACTIVE";
  const resumes = status === "ACTIVE" && stored.status !== "ACTIVE";
  return {
    definitionVersion,
    ownerName,
    ...(pauses ? { nextFireAt: null, heldFor: null } : {}),
    ...(plan === null
      ? {}
      : { ...plan, nextFireAt: status === "ACTIVE" ? plan.nextFireAt : null, countedFrom: now, heldFor: null }),
    ...(pauses || status === "ACTIVE" ? { pausedBecause: null } : {}),
    ...(resumes || changesReports(settings, stored) ? { failuresFrom: now } : {}),
    ...(confirms ? { confirmedAt: now } : {}),
  };
}

type ReportContents = Pick<ScheduleSettings, "searchParam" | "options">;

function changesReports(one: ReportContents, other: ReportContents): boolean {
  return !isDeepEqual([one.searchParam, one.options], [other.searchParam, other.options]);
}
