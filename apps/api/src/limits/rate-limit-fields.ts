import type { QuotaState } from "@reports/core/caller";

/**
 * Returns the rate limit fields of draft-ietf-httpapi-ratelimit-headers-11: lists of strings with parameters (RFC 9651). A policy has its
 * quota `q` and window `w` in seconds, or for concurrent use the unit `qu`. Its state has the remaining `r`, and the seconds until more,
 * `t`, if known. There is no partition key `pk`: quotas belong to the principal, or to the address of a wrong password. On a refusal,
 * `Retry-After` is never earlier than `t`. On a start or a record it is the next poll, whatever the quotas.
 */
export function rateLimitFields(quotas: readonly QuotaState[]): Record<string, string> {
  if (quotas.length === 0) return {};
  return {
    "RateLimit-Policy": quotas.map(policy).join(", "),
    RateLimit: quotas.map(state).join(", "),
  };
}

function policy({ name, limit, windowSeconds }: QuotaState): string {
  return `"${name}";q=${limit};${windowSeconds === null ? 'qu="concurrent-requests"' : `w=${windowSeconds}`}`;
}

function state({ name, remaining, resetSeconds }: QuotaState): string {
  return `"${name}";r=${remaining}${resetSeconds === null ? "" : `;t=${resetSeconds}`}`;
}
