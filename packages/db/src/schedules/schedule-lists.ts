import { scheduleFilters, scheduleFireFilters } from "@reports/core";
import type { CollectionPage, CollectionQuery, Schedule, ScheduleFire } from "@reports/core";
import { eq } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { listPage } from "../relations/list-page.ts";
import { reportScheduleFiresRelation, reportSchedulesRelation } from "../relations/report-schedules.ts";
import { reportScheduleFires, reportSchedules } from "../schema/report-schedules.ts";
import { toSchedules } from "./schedule-row.ts";

/** A page of schedules, of this owner alone unless null. */
export async function listSchedules(
  queries: Queries,
  { owner, ...query }: CollectionQuery & { readonly owner: string | null },
): Promise<CollectionPage<Schedule>> {
  const page = await listPage(
    queries,
    {
      relation: reportSchedulesRelation,
      filters: scheduleFilters,
      within: owner === null ? undefined : eq(reportSchedules.owner, owner),
      rows: async ({ page: ids, id, orderBy, keyset }) =>
        queries
          .select({ row: reportSchedules, keyset })
          .from(reportSchedules)
          .innerJoin(ids, eq(reportSchedules.id, id))
          .orderBy(orderBy),
    },
    query,
  );
  return { ...page, items: await toSchedules(queries, page.items) };
}

/** A page of the fires of one schedule. */
export async function listScheduleFires(
  queries: Queries,
  { scheduleId, ...query }: CollectionQuery & { readonly scheduleId: string },
): Promise<CollectionPage<ScheduleFire>> {
  return listPage(
    queries,
    {
      relation: reportScheduleFiresRelation,
      filters: scheduleFireFilters,
      within: eq(reportScheduleFires.scheduleId, scheduleId),
      rows: async ({ page: ids, id, orderBy, keyset }) =>
        queries
          .select({ row: reportScheduleFires, keyset })
          .from(reportScheduleFires)
          .innerJoin(ids, eq(reportScheduleFires.id, id))
          .orderBy(orderBy),
    },
    query,
  );
}
