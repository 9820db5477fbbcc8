/**
 * A certificate is CRITICAL or WARN if its remaining time is below a threshold. The threshold is the fraction `lifetimeNumerator /
 * lifetimeDenominator` of the certificate's lifetime, but at least `floorDays` and at most `ceilingDays`. The SQL expression of severities uses
 * these numbers. docs/reference/resources/domains.md#derived-values.
 */
export const severityThresholds = {
  CRITICAL: { ceilingDays: 3, lifetimeNumerator: 1, lifetimeDenominator: 10, floorDays: 1 },
  WARN: { ceilingDays: 14, lifetimeNumerator: 1, lifetimeDenominator: 3, floorDays: 7 },
} as const;

const shareTexts = { 3: "a third", 10: "a tenth" } as const;

export function describeSeverityThreshold(level: keyof typeof severityThresholds): string {
  const { ceilingDays, lifetimeDenominator, floorDays } = severityThresholds[level];
  const share = `${shareTexts[lifetimeDenominator]} of the lifetime`;
  const least = `at least ${floorDays} ${floorDays === 1 ? "day" : "days"}`;
  return `Less time remains than the smaller of ${ceilingDays} days and ${share} (${least})`;
}
