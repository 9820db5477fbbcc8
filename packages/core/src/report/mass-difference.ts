/** From when on differences are a mistake of ours (another store, another database, a restored backup) rather than leavings. */
export interface MassLimits {
  /** More than this many that are more than this share as well. */
  readonly massCount: number;
  readonly massShare: number;
  /** More than this share, however few they are. */
  readonly maxShare: number;
}

/**
 * Whether so many differ that nothing may be done about any of them. Both numbers count everything that was compared, whatever part of
 * it is due, and what was mended lately belongs to both: otherwise a mass that is mended in slices would never look like one.
 */
export function isMassDifference(differing: number, compared: number, limits: MassLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
