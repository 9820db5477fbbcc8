import type { ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";

const marker = "INTERVAL_WITHOUT_LENGTH_";
const markerPattern = /"INTERVAL_WITHOUT_LENGTH_(\d+)"/;

/**
 * Returns the exact seconds of an interval, whose days have 24 hours. A month or a year has no fixed length, and Postgres would count 30 days.
 * Such an interval fails a cast instead, with an error that names the column by its place `at` among those of the view. An infinite interval fails too.
 */
export function secondsOfInterval(interval: SQL, at: number): SQL {
  // The empty text keeps the planner from evaluating the cast before there is a row.
  const failing = sql`(${marker} || ${at} || left(${interval}::text, 0))::numeric`;
  return sql`case when extract(year from ${interval}) <> 0 or extract(month from ${interval}) <> 0 then ${failing} else trim_scale(extract(epoch from ${interval})) end`;
}

/** Returns the key of the column that an error of `secondsOfInterval` names; undefined for another error. */
export function columnWithoutLength(message: string, { columns }: Pick<ViewRows, "columns">): string | undefined {
  const at = markerPattern.exec(message)?.[1];
  return at === undefined ? undefined : Object.keys(columns)[Number(at)];
}
