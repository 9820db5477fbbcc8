export interface CronRule {
  /** Five fields. */
  readonly cron: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Computes run times. Has no clock. */
export interface ScheduleCalendar {
  /** Version of the time zone rules, such as `2026c`; later ones are greater texts. */
  readonly tzVersion: string;
  /** Completes "cron …"; null for a readable pattern, which may still never match. */
  problemOf(cron: string): string | null;
  /**
   * Finds two times of the rule less than `minMinutes` apart, such as `06:00 and 06:05`; null if there are none on any date and at any change
   * of the clocks. Does not depend on today. Throws RangeError for an unreadable rule.
   */
  closeTimes(rule: CronRule, minMinutes: number): string | null;
  /** Yields the rule's instants after this one, in order. Throws RangeError for an unreadable rule. */
  timesAfter(rule: CronRule, after: Date): Iterable<Date>;
}
