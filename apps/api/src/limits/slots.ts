import type { RateLimitedError } from "@reports/core";

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
  const taken = new Map<string, number>();
  let total = 0;
  return {
    get held() {
      return total;
    },
    take(principalId) {
      const own = taken.get(principalId) ?? 0;
      if (limits.perPrincipal > 0 && own >= limits.perPrincipal) throw refusal("perPrincipal", limits.perPrincipal);
      if (limits.total > 0 && total >= limits.total) throw refusal("total", limits.total);
      taken.set(principalId, own + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        const left = (taken.get(principalId) ?? 1) - 1;
        if (left === 0) taken.delete(principalId);
        else taken.set(principalId, left);
      };
    },
  };
}
