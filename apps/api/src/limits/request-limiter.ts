import { RateLimitedError } from "@reports/core";
import type { QuotaState } from "@reports/core";

const windowSeconds = 60;

/** Counts the requests of each principal. Per instance and in memory: cheap enough for every read. */
export interface RequestLimiter {
  /** Counts one request and says what is left. Throws RateLimitedError when nothing was left. */
  take(principalId: string): QuotaState;
}

interface Window {
  endsAt: number;
  used: number;
}

/**
 * Makes the limiter: `perMinute` requests in a minute that begins with a principal's first one; 0 switches it off. Of at most
 * `maxPrincipals` the windows are kept; the oldest go first, and those principals begin anew.
 */
export function createRequestLimiter(options: {
  readonly perMinute: number;
  readonly maxPrincipals?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}): RequestLimiter | undefined {
  const { perMinute, maxPrincipals = 10_000, now = () => performance.now() } = options;
  if (perMinute === 0) return undefined;
  const windows = new Map<string, Window>();

  function begin(principalId: string, at: number): Window {
    windows.delete(principalId);
    // Every window is equally long and a map keeps its order, so the first are those that end first.
    for (const [id, { endsAt }] of windows) {
      if (endsAt > at && windows.size < maxPrincipals) break;
      windows.delete(id);
    }
    const window = { endsAt: at + windowSeconds * 1000, used: 0 };
    windows.set(principalId, window);
    return window;
  }

  return {
    take(principalId) {
      // Whole milliseconds: a minute from now is not 60.000…1 s away.
      const at = Math.floor(now());
      const known = windows.get(principalId);
      const window = known !== undefined && known.endsAt > at ? known : begin(principalId, at);
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - at) / 1000));
      const left = perMinute - window.used;
      const quota = { name: "requests", limit: perMinute, windowSeconds, resetSeconds };
      if (left <= 0) {
        throw new RateLimitedError(
          "too-many-requests",
          `${perMinute} requests were made within a minute, and no more may be. Go on in ${resetSeconds} s.`,
          { retryAfterSeconds: resetSeconds, quotas: [{ ...quota, remaining: 0 }] },
        );
      }
      window.used += 1;
      return { ...quota, remaining: left - 1 };
    },
  };
}
