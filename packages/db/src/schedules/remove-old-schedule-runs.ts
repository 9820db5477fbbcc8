import { sql } from "drizzle-orm";
import { intervalSql } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import { reportScheduleRuns } from "../schema/report-schedules.ts";

export async function removeOldScheduleRuns(queries: Queries, olderThanMs: number, limit: number): Promise<number> {
  const old = sql`select ${reportScheduleRuns.id} from ${reportScheduleRuns} where ${reportScheduleRuns.firedAt} < now() - ${intervalSql(olderThanMs)} limit ${limit}`;
  const rows = await queries
    .delete(reportScheduleRuns)
    .where(sql`${reportScheduleRuns.id} in (${old})`)
    .returning({ id: reportScheduleRuns.id });
  return rows.length;
}
