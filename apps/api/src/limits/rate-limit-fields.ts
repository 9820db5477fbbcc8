import type { QuotaState } from "@reports/core/caller";

/**
 * Returns the headers of draft-ietf-httpapi-ratelimit-headers-11: lists of strings with parameters (RFC 9651). A policy has the quota `q`, and
 * the window `w` in seconds or, for concurrent use, the unit `qu`. A state has the remaining quota `r` and, if known, the seconds `t` until
 * more is available. There is no partition key `pk`, because a quota belongs to the principal, or to the address of a failed login. In a
 * refusal, `Retry-After` is never earlier than `t`. In other responses, `Retry-After` is the time of the next poll and ignores quotas.
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
