import type { DecidedRun } from "@reports/core/schedule";
import type { NewReport } from "@reports/core/report";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportScheduleRuns } from "../schema/report-schedules.ts";
import { reports } from "../schema/reports.ts";

export async function insertScheduleRuns(
  tx: Queries,
  scheduleId: string,
  rows: readonly (DecidedRun & { readonly id: string })[],
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

const minuteMs = 60_000;

/**
 * Records the run of a schedule that a caller started by hand. Its time is the creation time of the report. For other reports, only returns true.
 * Returns false if another run of the schedule has this time. Also returns false if this time is a whole minute, which a planned run may get. The
 * caller must then roll back, and repeat the start a moment later.
 */
export async function tryInsertManualRun(tx: Queries, { id, scheduleId, fireId }: NewReport): Promise<boolean> {
  if (fireId === undefined || scheduleId === undefined || scheduleId === null) return true;
  const started = sql`select created_at from ${reports} where ${reports.id} = ${id}`;
  const written = await tx
    .insert(reportScheduleRuns)
    .values({ id: fireId, scheduleId, scheduledFor: sql`(${started})`, outcome: "STARTED", reportId: id })
    .onConflictDoNothing({ target: [reportScheduleRuns.scheduleId, reportScheduleRuns.scheduledFor] })
    .returning({ scheduledFor: reportScheduleRuns.scheduledFor });
  return written.some(({ scheduledFor }) => scheduledFor.getTime() % minuteMs !== 0);
}
