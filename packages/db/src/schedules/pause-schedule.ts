import type { SchedulePauseCause } from "@reports/core";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportSchedules } from "../schema/report-schedules.ts";

/**
 * ACTIVE → PAUSED, in the caller's transaction: the one place through which a schedule is paused, by somebody (`because` is null) or by the
 * service. Says whether it was ACTIVE.
 */
export async function pauseSchedule(tx: Queries, id: string, because: SchedulePauseCause | null): Promise<boolean> {
  const paused = await tx
    .update(reportSchedules)
    .set({
      status: "PAUSED",
      pausedBecause: because,
      nextFireAt: null,
      heldFor: null,
      revision: sql`${reportSchedules.revision} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(reportSchedules.id, id), eq(reportSchedules.status, "ACTIVE"), isNull(reportSchedules.deletedAt)))
    .returning({ id: reportSchedules.id });
  return paused.length === 1;
}
