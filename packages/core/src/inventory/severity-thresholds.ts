/**
 * A certificate is CRITICAL or WARN if its remaining time is below a threshold. The threshold is the fraction `lifetimeNumerator / lifetimeDenominator` of the certificate's
 * lifetime, but at least `floorDays` and at most `ceilingDays`. The SQL expression uses these numbers. docs/reference/resources/domains.md#derived-values.
 */
export const severityThresholds = {
  CRITICAL: { ceilingDays: 3, lifetimeNumerator: 1, lifetimeDenominator: 10, floorDays: 1 },
  WARN: { ceilingDays: 14, lifetimeNumerator: 1, lifetimeDenominator: 3, floorDays: 7 },
} as const;
