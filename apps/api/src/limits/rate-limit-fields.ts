import type { QuotaState } from "@reports/core";

/**
 * The fields that tell callers their limits and what is left of them: draft-ietf-httpapi-ratelimit-headers-11, structured lists of
 * policies by name. A limit on what exists at once has no window and says so by its unit.
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
