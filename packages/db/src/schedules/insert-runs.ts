import type { RunRow } from "@reports/core/schedule";
import type { NewReport } from "@reports/core/report";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportScheduleRuns } from "../schema/report-schedules.ts";
import { reports } from "../schema/reports.ts";

/** Writes the outcomes of a schedule's times. A STARTED one gets the report's ID. Returns the times that were written; the others were recorded before. */
export async function insertRuns(
  tx: Queries,
  scheduleId: string,
  rows: readonly (RunRow & { readonly id: string })[],
  reportId: string | null,
): Promise<readonly Date[]> {
  if (rows.length === 0) return [];
  const written = await tx
    .insert(reportScheduleRuns)
    .values(
      rows.map((row) => ({
        ...row,
        scheduleId,
        reportId: row.outcome === "STARTED" ? reportId : null,
        firedAt: sql`clock_timestamp()`,
      })),
    )
    .onConflictDoNothing()
    .returning({ scheduledFor: reportScheduleRuns.scheduledFor });
  return written.map(({ scheduledFor }) => scheduledFor);
}

/** Schedules run on whole minutes. */
const minuteMs = 60_000;

/**
 * Writes the run of a schedule that a caller starts by hand, at the report's creation time. Does nothing for other reports. Returns false
 * if the schedule has, or may get, a run at that millisecond. The start must then be repeated a moment later.
 */
export async function insertManualRun(tx: Queries, { id, scheduleId, fireId }: NewReport): Promise<boolean> {
  if (fireId === undefined || scheduleId === undefined || scheduleId === null) return true;
  const started = sql`select created_at from ${reports} where ${reports.id} = ${id}`;
  const written = await tx
    .insert(reportScheduleRuns)
    .values({ id: fireId, scheduleId, scheduledFor: sql`(${started})`, outcome: "STARTED", reportId: id })
    .onConflictDoNothing({ target: [reportScheduleRuns.scheduleId, reportScheduleRuns.scheduledFor] })
    .returning({ scheduledFor: reportScheduleRuns.scheduledFor });
  return written.some(({ scheduledFor }) => scheduledFor.getTime() % minuteMs !== 0);
}
