import { sql } from "drizzle-orm";
import { interval } from "../database/interval.ts";
import type { Queries } from "../database/queries.ts";
import { reportScheduleRuns } from "../schema/report-schedules.ts";

export async function removeOldRuns(queries: Queries, olderThanMs: number, limit: number): Promise<number> {
  const old = sql`select ${reportScheduleRuns.id} from ${reportScheduleRuns} where ${reportScheduleRuns.firedAt} < now() - ${interval(olderThanMs)} limit ${limit}`;
  const rows = await queries
    .delete(reportScheduleRuns)
    .where(sql`${reportScheduleRuns.id} in (${old})`)
    .returning({ id: reportScheduleRuns.id });
  return rows.length;
}
