export interface DifferenceLimits {
  readonly massCount: number;
  readonly massShare: number;
  readonly maxShare: number;
}

/** Reports whether so many files differ that nothing may be repaired. Both numbers must include recent repairs, so that small repairs add up. */
export function exceedsDifferenceLimits(differing: number, compared: number, limits: DifferenceLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
