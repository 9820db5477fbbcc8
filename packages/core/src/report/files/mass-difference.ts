/** From when on differences mean a misconfiguration (another store, another database, a restored backup) rather than orphaned files. */
export interface MassLimits {
  /** More than this many that are more than this share as well. */
  readonly massCount: number;
  readonly massShare: number;
  /** More than this share, however few they are. */
  readonly maxShare: number;
}

/**
 * Whether so many differ that nothing may be done about any of them. Both numbers count everything that was compared, whatever part of
 * it is due, and recent repairs are part of both: otherwise a mass that is repaired in slices would never look like one.
 */
export function isMassDifference(differing: number, compared: number, limits: MassLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
