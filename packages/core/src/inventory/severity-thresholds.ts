/**
 * Time left below which a certificate is CRITICAL or WARN: the smaller of `ceilingDays` and `lifetimeNumerator / lifetimeDenominator` of its lifetime, but
 * at least `floorDays`. The SQL expression uses these numbers. docs/reference/resources/domains.md#derived-values.
 */
export const severityThresholds = {
  CRITICAL: { ceilingDays: 3, lifetimeNumerator: 1, lifetimeDenominator: 10, floorDays: 1 },
  WARN: { ceilingDays: 14, lifetimeNumerator: 1, lifetimeDenominator: 3, floorDays: 7 },
} as const;
