import type { FireRow } from "@reports/core/schedule";
import type { NewReport } from "@reports/core/report";
import { sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportScheduleFires } from "../schema/report-schedules.ts";
import { reports } from "../schema/reports.ts";

/**
 * Writes what came of the times of a schedule; the report is that of the last row, where it is STARTED. Gives the times that were
 * written: one that is there already stays as it is.
 */
export async function insertFires(
  tx: Queries,
  scheduleId: string,
  rows: readonly (FireRow & { readonly id: string })[],
  reportId: string | null,
): Promise<readonly Date[]> {
  if (rows.length === 0) return [];
  const written = await tx
    .insert(reportScheduleFires)
    .values(
      rows.map((row) => ({
        ...row,
        scheduleId,
        reportId: row.outcome === "STARTED" ? reportId : null,
        firedAt: sql`clock_timestamp()`,
      })),
    )
    .onConflictDoNothing()
    .returning({ scheduledFor: reportScheduleFires.scheduledFor });
  return written.map(({ scheduledFor }) => scheduledFor);
}

/** Schedules fire on the minute. */
const minuteMs = 60_000;

/**
 * Writes the fire of a report for which somebody runs a schedule by hand: its time is that of the start. Does nothing for other reports. False where
 * the schedule has a fire of that millisecond already, or may be about to have one, which would find its time taken: the start is to begin anew,
 * a moment later.
 */
export async function insertManualFire(tx: Queries, { id, scheduleId, fireId }: NewReport): Promise<boolean> {
  if (fireId === undefined || scheduleId === undefined || scheduleId === null) return true;
  const started = sql`select created_at from ${reports} where ${reports.id} = ${id}`;
  const written = await tx
    .insert(reportScheduleFires)
    .values({ id: fireId, scheduleId, scheduledFor: sql`(${started})`, outcome: "STARTED", reportId: id })
    .onConflictDoNothing({ target: [reportScheduleFires.scheduleId, reportScheduleFires.scheduledFor] })
    .returning({ scheduledFor: reportScheduleFires.scheduledFor });
  return written.some(({ scheduledFor }) => scheduledFor.getTime() % minuteMs !== 0);
}
