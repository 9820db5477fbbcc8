import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** A duration in SQL, in seconds, because a day of the session's zone can have 23 or 25 hours. */
export function interval(ms: number): SQL {
  return sql`make_interval(secs => ${ms / 1000}::double precision)`;
}

export function fromNow(ms: number): SQL {
  return sql`clock_timestamp() + ${interval(ms)}`;
}

/** The shortest time between two records that an owner was seen. */
export const confirmEveryMs = 3_600_000;

export function ago(ms: number): SQL {
  return sql`clock_timestamp() - ${interval(ms)}`;
}

/** Times are rounded, and a statement reads the clock several times. */
const toleranceMs = 1_000;

/** Whether a time is later than now plus `ms`, because Postgres's clock was set back. */
export function isFuture(time: SQLWrapper, ms = 0): SQL {
  return sql`(${time} > ${fromNow(ms + toleranceMs)})`;
}

/** Whether `ms` have passed. Also true if the clock was set back, so that nothing waits for it to catch up. */
export function isPast(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} < ${ago(ms)} or ${isFuture(time)})`;
}

/** Whether it was less than `ms` ago. False if the clock was set back by more. */
export function isRecent(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} between ${ago(ms)} and ${fromNow(ms)})`;
}
