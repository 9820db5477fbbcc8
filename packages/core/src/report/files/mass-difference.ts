/** Limits above which differences point to a wrong store or a restored backup, and not to orphaned files. */
export interface MassLimits {
  /** More differences than this are too many if they also exceed `massShare` of the compared files. */
  readonly massCount: number;
  readonly massShare: number;
  /** A larger share of differences is always too many. */
  readonly maxShare: number;
}

/** Reports whether so many files differ that the reconciler must not act on any. Both numbers include recent repairs. Otherwise many differences that are repaired in small parts would never exceed a limit. */
export function isMassDifference(differing: number, compared: number, limits: MassLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
