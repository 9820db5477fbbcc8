import { createPermitCounter } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";

/** Concurrency limits per API instance. 0 turns a limit off. */
export interface ConcurrencyLimits {
  readonly total: number;
  readonly perPrincipal: number;
}

/** Texts and code of the refusals at a limit. */
interface ConcurrencyRefusal {
  readonly code: ProblemCode;
  readonly quota: string;
  readonly counted: string;
  readonly advice: string;
  readonly retryAfterSeconds: number;
}

export interface ConcurrencyLimiter {
  /** Acquires a slot and returns the function that releases it. Repeated calls of that function are harmless. Throws RateLimitedError if no slot is free. */
  acquire(principalId: string): () => void;
  readonly held: number;
}

export function createConcurrencyLimiter(
  limits: ConcurrencyLimits,
  { code, quota, counted, advice, retryAfterSeconds }: ConcurrencyRefusal,
): ConcurrencyLimiter {
  const permits = createPermitCounter<string>();
  const assertBelow = (limit: number, held: number, whose: string): void => {
    if (limit === 0 || held < limit) return;
    const message = `Limit of ${limit} ${counted} ${whose} reached; ${advice}.`;
    const quotas = [{ name: quota, limit, remaining: 0, windowSeconds: null, resetSeconds: null }];
    throw new RateLimitedError(code, message, { retryAfterSeconds, quotas });
  };
  return {
    get held() {
      return permits.total;
    },
    acquire(principalId) {
      assertBelow(limits.perPrincipal, permits.of(principalId), "per caller");
      assertBelow(limits.total, permits.total, "for all callers together");
      return permits.take(principalId);
    },
  };
}
