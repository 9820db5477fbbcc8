export interface CronRule {
  readonly cron: string;
  readonly timezone: string;
}

/** Computes the run times of cron patterns. It never reads the current time. */
export interface ScheduleCalendar {
  /** Version of the time zone rules, such as `2026c`. A later version is a greater string. */
  readonly tzVersion: string;
  /** Returns the end of an error message that begins with "cron"; null for a valid pattern. A valid pattern may still match no date. */
  problemOf(cron: string): string | null;
  /** Finds two run times less than `minMinutes` apart, such as `06:00 and 06:05`; null if there are none. Throws RangeError for an invalid rule. */
  closeTimes(rule: CronRule, minMinutes: number): string | null;
  timesAfter(rule: CronRule, after: Date): Iterable<Date>;
}
