/** Limits of starts per principal, over all instances. 0 turns a limit off. */
export interface StartLimits {
  readonly perMinute: number;
  readonly unfinished: number;
}

/** Turns all limits off, for tests. */
export const unlimitedStarts: StartLimits = { perMinute: 0, unfinished: 0 };

/** Limits of starts that apply unless the operator sets others. docs/reference/limits.md#limits-of-requests. */
export const defaultStartLimits: StartLimits = { perMinute: 20, unfinished: 5 };
