import {
  domainIssues,
  severityThresholds,
  type Domain,
  type DomainIssue,
  type Proxy,
  type Severity,
} from "@reports/core/inventory";

const dayMs = 86_400_000;

export function computeExpectedDaysLeft(certNotAfter: Date | null, asOf: Date): number | null {
  return certNotAfter === null ? null : Math.floor((certNotAfter.getTime() - asOf.getTime()) / dayMs);
}

/** Returns the severity of a certificate's expiry; null without a certificate. Tests compare the SQL expression with this function. */
export function computeExpectedSeverity(
  certNotBefore: Date | null,
  certNotAfter: Date | null,
  asOf: Date,
): Severity | null {
  if (certNotBefore === null || certNotAfter === null) return null;
  const remainingMs = certNotAfter.getTime() - asOf.getTime();
  const lifetimeMs = certNotAfter.getTime() - certNotBefore.getTime();
  if (remainingMs < 0) return "EXPIRED";
  if (remainingMs < thresholdMs("CRITICAL", lifetimeMs)) return "CRITICAL";
  if (remainingMs < thresholdMs("WARN", lifetimeMs)) return "WARN";
  return "OK";
}

/**
 * Returns the issues of a domain in the order of `domainIssues`. Tests compare the SQL expression with this function.
 * - CERT_EXPIRED: the severity is EXPIRED. CERT_EXPIRING: the severity is CRITICAL or WARN.
 * - TLS_TOO_OLD: the minimum TLS version is below 1.2, unless the TLS mode is NONE.
 * - PLAINTEXT_ONLY: the TLS mode is NONE.
 * - HSTS_MISSING: the proxy terminates TLS (mode ACME or CUSTOM) without HSTS.
 * - PROXY_DISABLED: the proxy's `adminState` is DISABLED. PROXY_DOWN: the proxy's `health` is DOWN.
 */
export function computeExpectedIssues(
  domain: Pick<Domain, "certNotBefore" | "certNotAfter" | "tlsMode" | "tlsMinVersion" | "hstsEnabled">,
  proxy: Pick<Proxy, "adminState" | "health">,
  asOf: Date,
): DomainIssue[] {
  const severity = computeExpectedSeverity(domain.certNotBefore, domain.certNotAfter, asOf);
  const endsTls = domain.tlsMode === "ACME" || domain.tlsMode === "CUSTOM";
  const tooOld = domain.tlsMinVersion === "TLS1.0" || domain.tlsMinVersion === "TLS1.1";
  const found: Record<DomainIssue, boolean> = {
    CERT_EXPIRED: severity === "EXPIRED",
    CERT_EXPIRING: severity === "CRITICAL" || severity === "WARN",
    TLS_TOO_OLD: tooOld && domain.tlsMode !== "NONE",
    PLAINTEXT_ONLY: domain.tlsMode === "NONE",
    HSTS_MISSING: endsTls && !domain.hstsEnabled,
    PROXY_DISABLED: proxy.adminState === "DISABLED",
    PROXY_DOWN: proxy.health === "DOWN",
  };
  return domainIssues.filter((issue) => found[issue]);
}

function thresholdMs(level: keyof typeof severityThresholds, lifetimeMs: number): number {
  const { ceilingDays, lifetimeNumerator, lifetimeDenominator, floorDays } = severityThresholds[level];
  const share = (lifetimeMs * lifetimeNumerator) / lifetimeDenominator;
  return Math.max(floorDays * dayMs, Math.min(ceilingDays * dayMs, share));
}
