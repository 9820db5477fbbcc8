/** What one principal may start, over all instances. 0 switches a limit off. */
export interface StartLimits {
  readonly perMinute: number;
  /** Reports of theirs that are QUEUED or RUNNING. */
  readonly unfinished: number;
}

/** Anybody may start anything: for tests of something else. */
export const unlimitedStarts: StartLimits = { perMinute: 0, unfinished: 0 };

/** docs/reference/limits.md#limits-of-requests. */
export const defaultStartLimits: StartLimits = { perMinute: 20, unfinished: 5 };
