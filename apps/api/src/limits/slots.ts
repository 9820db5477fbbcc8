import { createPermits } from "@reports/core/base";
import type { RateLimitedError } from "@reports/core/caller";

/** Concurrency limits of one instance. 0 switches a limit off. */
export interface SlotLimits {
  readonly total: number;
  readonly perPrincipal: number;
}

/** The slots of running work. */
export interface Slots {
  /** Takes a place and gives what frees it (calling that again does nothing). Throws RateLimitedError when none is free. */
  take(principalId: string): () => void;
  /** How many are held. */
  readonly held: number;
}

/** Makes the places, all of them free. `refusal` makes the error for a limit on those of one principal or of all. */
export function createSlots(
  limits: SlotLimits,
  refusal: (whose: keyof SlotLimits, limit: number) => RateLimitedError,
): Slots {
  const permits = createPermits<string>();
  return {
    get held() {
      return permits.total;
    },
    take(principalId) {
      const { total, perPrincipal } = limits;
      if (perPrincipal > 0 && permits.of(principalId) >= perPrincipal) throw refusal("perPrincipal", perPrincipal);
      if (total > 0 && permits.total >= total) throw refusal("total", total);
      return permits.take(principalId);
    },
  };
}
