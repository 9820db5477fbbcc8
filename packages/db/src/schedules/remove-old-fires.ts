import { sql } from "drizzle-orm";
import { interval } from "../database/interval.ts";
import type { Queries } from "../database/queries.ts";
import { reportScheduleFires } from "../schema/report-schedules.ts";

/** Removes at most `limit` old runs and returns their number. */
export async function removeOldRuns(queries: Queries, olderThanMs: number, limit: number): Promise<number> {
  const old = sql`select ${reportScheduleFires.id} from ${reportScheduleFires} where ${reportScheduleFires.firedAt} < now() - ${interval(olderThanMs)} limit ${limit}`;
  const rows = await queries
    .delete(reportScheduleFires)
    .where(sql`${reportScheduleFires.id} in (${old})`)
    .returning({ id: reportScheduleFires.id });
  return rows.length;
}
