import type { SchedulePauseCause } from "@reports/core/schedule";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportSchedules } from "../schema/report-schedules.ts";

export async function pauseSchedule(tx: Queries, id: string, because: SchedulePauseCause): Promise<boolean> {
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
    .returning({ owner: reportSchedules.owner, reportType: reportSchedules.reportType });
  const [pausedRow] = paused;
  if (pausedRow !== undefined)
    await tx.execute(sql`
      select add_webhook_deliveries('schedule.paused', ${pausedRow.owner}, ${pausedRow.reportType}, null::uuid,
        jsonb_build_object('scheduleId', ${id}::text, 'because', ${because}::text))`);
  return paused.length === 1;
}
