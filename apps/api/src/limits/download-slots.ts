import { RateLimitedError } from "@reports/core";

/** How many files may be on their way at once from one instance. 0 switches a limit off. */
export interface DownloadLimits {
  readonly total: number;
  readonly perPrincipal: number;
}

/** The places of running downloads: each holds a stream of the store and a connection open for as long as its reader likes. */
export interface DownloadSlots {
  /** Takes a place and gives what frees it (calling that again does nothing). Throws RateLimitedError when none is free. */
  take(principalId: string): () => void;
  /** How many are held. */
  readonly held: number;
}

/** Makes the places, all of them free. */
export function createDownloadSlots(limits: DownloadLimits): DownloadSlots {
  const running = new Map<string, number>();
  let total = 0;
  return {
    get held() {
      return total;
    },
    take(principalId) {
      const own = running.get(principalId) ?? 0;
      if (limits.perPrincipal > 0 && own >= limits.perPrincipal) throw tooMany("of yours", limits.perPrincipal);
      if (limits.total > 0 && total >= limits.total) throw tooMany("of all callers", limits.total);
      running.set(principalId, own + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        const left = (running.get(principalId) ?? 1) - 1;
        if (left === 0) running.delete(principalId);
        else running.set(principalId, left);
      };
    },
  };
}

function tooMany(whose: string, limit: number): RateLimitedError {
  return new RateLimitedError(
    "too-many-downloads",
    `${limit} downloads ${whose} are under way here already. Try again when one has ended.`,
    {
      retryAfterSeconds: 2,
      quotas: [{ name: "downloads", limit, remaining: 0, windowSeconds: null, resetSeconds: null }],
    },
  );
}
