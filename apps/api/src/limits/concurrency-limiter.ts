import { createPermitCounter } from "@reports/core/base";
import type { RateLimitedError } from "@reports/core/caller";

/** Concurrency limits per API instance. 0 turns a limit off. */
export interface ConcurrencyLimits {
  readonly total: number;
  readonly perPrincipal: number;
}

export interface ConcurrencyLimiter {
  /** Acquires a slot and returns the function that releases it. Repeated calls of that function are harmless. Throws RateLimitedError if no slot is free. */
  acquire(principalId: string): () => void;
  readonly held: number;
}

export function createConcurrencyLimiter(
  limits: ConcurrencyLimits,
  refusal: (whose: keyof ConcurrencyLimits, limit: number) => RateLimitedError,
): ConcurrencyLimiter {
  const permits = createPermitCounter<string>();
  return {
    get held() {
      return permits.total;
    },
    acquire(principalId) {
      const { total, perPrincipal } = limits;
      if (perPrincipal > 0 && permits.of(principalId) >= perPrincipal) throw refusal("perPrincipal", perPrincipal);
      if (total > 0 && permits.total >= total) throw refusal("total", total);
      return permits.take(principalId);
    },
  };
}
