import type { QuotaState } from "@reports/core/caller";

/**
 * Returns the headers of draft-ietf-httpapi-ratelimit-headers-11 (RFC 9651 lists). In a policy, `q` is the quota and `w` its window in seconds,
 * or `qu` the unit of concurrent use. In a state, `r` is the remaining quota and `t` the seconds until more is available, if known. There is no
 * partition key `pk`, because a quota belongs to the principal, or to the client address of failed logins. In a refusal, `Retry-After` is at
 * least `t`. Elsewhere, it is the time of the next poll.
 */
export function formatRateLimitFields(quotas: readonly QuotaState[]): Record<string, string> {
  if (quotas.length === 0) return {};
  return {
    "RateLimit-Policy": quotas.map(formatPolicy).join(", "),
    RateLimit: quotas.map(formatState).join(", "),
  };
}

function formatPolicy({ name, limit, windowSeconds }: QuotaState): string {
  return `"${name}";q=${limit};${windowSeconds === null ? 'qu="concurrent-requests"' : `w=${windowSeconds}`}`;
}

function formatState({ name, remaining, resetSeconds }: QuotaState): string {
  return `"${name}";r=${remaining}${resetSeconds === null ? "" : `;t=${resetSeconds}`}`;
}
