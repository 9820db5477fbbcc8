/** Limits above which differences mean a misconfiguration (another store or database, a restored backup) rather than orphaned files. */
export interface MassLimits {
  /** Too many, if they also exceed a share. */
  readonly massCount: number;
  readonly massShare: number;
  /** Too many, however few they are. */
  readonly maxShare: number;
}

/**
 * Reports whether so many differ that none may be acted on. Both numbers count everything compared and recent repairs: otherwise a
 * mass that is repaired in slices would never look like one.
 */
export function isMassDifference(differing: number, compared: number, limits: MassLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
