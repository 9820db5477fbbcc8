import type { Domain } from "@reports/client";
import { severityThresholds } from "@reports/client/records";

const dayMs = 86_400_000;

/**
 * Returns how soon the certificate of a domain expires, by the API's rules, or null without a certificate.
 * docs/reference/resources/domains.md#derived-values.
 */
export function computeCertSeverity({ certNotBefore, certNotAfter }: Domain, now: number): string | null {
  if (certNotAfter === null || certNotBefore === null) return null;
  const left = Date.parse(certNotAfter) - now;
  if (left < 0) return "EXPIRED";
  const lifetime = Date.parse(certNotAfter) - Date.parse(certNotBefore);
  for (const severity of ["CRITICAL", "WARN"] as const) {
    const { ceilingDays, floorDays, lifetimeNumerator, lifetimeDenominator } = severityThresholds[severity];
    const share = (lifetime * lifetimeNumerator) / lifetimeDenominator;
    if (left < Math.max(Math.min(share, ceilingDays * dayMs), floorDays * dayMs)) return severity;
  }
  return "OK";
}
