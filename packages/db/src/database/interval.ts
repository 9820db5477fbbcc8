import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** Returns a duration as SQL. It is given in seconds, because a day in the session's time zone can have 23 or 25 hours. */
export function interval(ms: number): SQL {
  return sql`make_interval(secs => ${ms / 1000}::double precision)`;
}

export function fromNow(ms: number): SQL {
  return sql`clock_timestamp() + ${interval(ms)}`;
}

/** The shortest time in ms between two updates of the time at which an owner was last seen. */
export const confirmEveryMs = 3_600_000;

export function ago(ms: number): SQL {
  return sql`clock_timestamp() - ${interval(ms)}`;
}

/** Tolerance for stored times, which are rounded, and for clock readings, which differ within a statement. */
const toleranceMs = 1_000;

/** Whether a time is more than `ms` in the future. Such a time exists if Postgres's clock was set back. */
export function isFuture(time: SQLWrapper, ms = 0): SQL {
  return sql`(${time} > ${fromNow(ms + toleranceMs)})`;
}

/** Whether `ms` have passed since a time. Also true for a time in the future, so that nothing waits until a clock that was set back has caught up. */
export function isPast(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} < ${ago(ms)} or ${isFuture(time)})`;
}

/** Whether a time is less than `ms` ago. False if Postgres's clock was set back by more than `ms` since then. */
export function isRecent(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} between ${ago(ms)} and ${fromNow(ms)})`;
}
