import type { ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";

const marker = "INTERVAL_WITHOUT_LENGTH_";
const markerPattern = /"INTERVAL_WITHOUT_LENGTH_(\d+)"/;

/**
 * Returns SQL for the seconds of an interval, exactly. A day has 24 hours. An interval with months or years has no fixed length, and Postgres would
 * count 30 days per month. So the SQL fails for it, with an error that contains `at`, the column's index in the view. An infinite interval also
 * fails.
 */
export function intervalSecondsSql(interval: SQL, at: number): SQL {
  // The cast depends on the row. Otherwise the planner would evaluate it once per query, and every query would fail.
  const failing = sql`(${marker} || ${at} || left(${interval}::text, 0))::numeric`;
  return sql`case when extract(year from ${interval}) <> 0 or extract(month from ${interval}) <> 0 then ${failing} else trim_scale(extract(epoch from ${interval})) end`;
}

export function findIntervalErrorColumn(message: string, { columns }: Pick<ViewRows, "columns">): string | undefined {
  const at = markerPattern.exec(message)?.[1];
  return at === undefined ? undefined : Object.keys(columns)[Number(at)];
}
