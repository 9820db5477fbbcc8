import { scheduleMisfitCauses, type Schedule, type ScheduleReader } from "@reports/core/schedule";
import { and, asc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { reportSchedules } from "../schema/report-schedules.ts";
import { toSchedule, type StoredSchedule } from "./schedule-row.ts";

const pageSize = 100;

export function createScheduleReader(database: Database): ScheduleReader {
  const { id, status, pausedBecause, deletedAt } = reportSchedules;
  const isChecked = and(
    isNull(deletedAt),
    or(eq(status, "ACTIVE"), and(eq(status, "PAUSED"), inArray(pausedBecause, [...scheduleMisfitCauses]))),
  );
  return {
    async *pages(signal) {
      let rows: readonly StoredSchedule[];
      let after: string | undefined;
      do {
        signal.throwIfAborted();
        rows = await database.query(async (queries) =>
          queries
            .select()
            .from(reportSchedules)
            .where(and(isChecked, after === undefined ? undefined : gt(id, after)))
            .orderBy(asc(id))
            .limit(pageSize),
        );
        after = rows.at(-1)?.id;
        if (rows.length > 0) yield rows.flatMap(readIfPossible);
      } while (rows.length === pageSize);
    },
  };
}

/** Returns an empty list if another version of the program wrote the schedule in an unknown form. That error is reported when the schedule runs. */
function readIfPossible(row: StoredSchedule): readonly Schedule[] {
  try {
    return [toSchedule(row, null)];
  } catch {
    return [];
  }
}
