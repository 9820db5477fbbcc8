import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** Writes a duration in seconds. Units such as days would depend on the session's time zone, where a day can have 23 or 25 hours. */
export function intervalSql(ms: number): SQL {
  return sql`make_interval(secs => ${ms / 1000}::double precision)`;
}

export function timeFromNowSql(ms: number): SQL {
  return sql`clock_timestamp() + ${intervalSql(ms)}`;
}

/** Minimum time in ms between two updates of the stored time at which an owner was last seen. */
export const ownerSeenUpdateIntervalMs = 3_600_000;

export function timeAgoSql(ms: number): SQL {
  return sql`clock_timestamp() - ${intervalSql(ms)}`;
}

/** Stored times are rounded, and clock_timestamp() differs within a statement. A difference of up to 1 s therefore does not count as the future. */
const toleranceMs = 1_000;

/** SQL for: the time is more than `ms` in the future. A stored time can be in the future only if Postgres's clock was set back. */
export function isFuture(time: SQLWrapper, ms = 0): SQL {
  return sql`(${time} > ${timeFromNowSql(ms + toleranceMs)})`;
}

/** SQL for: the time is more than `ms` ago, or in the future. Otherwise work would wait until a clock that was set back has caught up. */
export function isOlderThan(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} < ${timeAgoSql(ms)} or ${isFuture(time)})`;
}

/** SQL for: the time is less than `ms` ago. If Postgres's clock was set back by more than `ms` since then, the time does not count. */
export function isYoungerThan(time: SQLWrapper, ms: number): SQL {
  return sql`(${time} between ${timeAgoSql(ms)} and ${timeFromNowSql(ms)})`;
}
