/**
 * Below which time left a certificate is CRITICAL or WARN: the smaller of `ceilingDays` and that share of its lifetime, but never below `floorDays`.
 * The share is `lifetimeNumerator / lifetimeDenominator`. docs/reference/resources/domains.md#derived-values. The SQL expression is made from these numbers.
 */
export const severityThresholds = {
  CRITICAL: { ceilingDays: 3, lifetimeNumerator: 1, lifetimeDenominator: 10, floorDays: 1 },
  WARN: { ceilingDays: 14, lifetimeNumerator: 1, lifetimeDenominator: 3, floorDays: 7 },
} as const;
