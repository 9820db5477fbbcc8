/** Limits per principal over all instances. 0 turns a limit off. */
export interface StartLimits {
  readonly perMinute: number;
  /** QUEUED or RUNNING. */
  readonly unfinished: number;
}

/** For tests of something else. */
export const unlimitedStarts: StartLimits = { perMinute: 0, unfinished: 0 };

/** docs/reference/limits.md#limits-of-requests. */
export const defaultStartLimits: StartLimits = { perMinute: 20, unfinished: 5 };
