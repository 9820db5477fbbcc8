/** When something fires: a pattern of cron on the clocks of a place. */
export interface FireRule {
  /** Five fields. */
  readonly cron: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Computes when schedules fire. Knows no clock of its own. */
export interface ScheduleCalendar {
  /** Version of the time zones' rules that it computes with, such as `2026c`; later ones are greater texts. */
  readonly tzVersion: string;
  /** What is wrong with a pattern, in words that complete "cron …"; null for one that can be read, which may never fire all the same. */
  problemOf(cron: string): string | null;
  /**
   * Two times of the rule that are less than so many minutes apart, in words such as `06:00 and 06:05`; null if there are none on any date and
   * at any change of the clocks. It does not depend on today. Throws RangeError for a rule that cannot be read.
   */
  closeTimes(rule: FireRule, minMinutes: number): string | null;
  /** Every instant after this one at which the rule fires, in order, as far as anybody asks. Throws RangeError for a rule that cannot be read. */
  firesAfter(rule: FireRule, after: Date): Iterable<Date>;
}
