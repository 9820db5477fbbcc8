import { sql, type SQL } from "drizzle-orm";

/** A span of time in SQL. Of seconds alone: a day of the session's time zone may have 23 or 25 hours. */
export function interval(ms: number): SQL {
  return sql`make_interval(secs => ${ms / 1000}::double precision)`;
}

/** A moment after now, by Postgres's clock. */
export function fromNow(ms: number): SQL {
  return sql`clock_timestamp() + ${interval(ms)}`;
}

/** How often at most it is written that an owner was seen. */
export const confirmEveryMs = 3_600_000;

/** A moment before now, by Postgres's clock. */
export function ago(ms: number): SQL {
  return sql`clock_timestamp() - ${interval(ms)}`;
}
