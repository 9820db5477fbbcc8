export interface AutomaticRepairLimits {
  readonly massCount: number;
  readonly massShare: number;
  readonly maxShare: number;
}

/** Reports whether too many files differ for an automatic repair. Both numbers must include recent repairs, so that small repairs add up. */
export function exceedsRepairLimits(differing: number, compared: number, limits: AutomaticRepairLimits): boolean {
  if (differing > compared * limits.maxShare) return true;
  return differing > limits.massCount && differing > compared * limits.massShare;
}
