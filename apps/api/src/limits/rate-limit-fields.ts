import type { QuotaState } from "@reports/core/caller";

/**
 * The fields that tell callers their limits and what is left of them, as draft-ietf-httpapi-ratelimit-headers-11 has them: lists of
 * strings with parameters (RFC 9651). A policy has its quota `q` and its window `w` in seconds, or, where it is one on what exists at
 * once, the unit `qu`; its state has what remains, `r`, and the seconds until there is more, `t`, where that is known. There is no
 * partition key `pk`: every quota is that of the request's principal, or of the address from which its password was wrong.
 *
 * Of a refusal, `Retry-After` is never earlier than `t`. Where a start or a record is answered, `Retry-After` says when to look again and
 * has nothing to do with quotas.
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
