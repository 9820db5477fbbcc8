import { RateLimitedError } from "@reports/core";
import type { QuotaState } from "@reports/core";
import type { ProblemCode } from "@reports/core/http";
import { LRUCache } from "lru-cache";

const windowSeconds = 60;
const windowMs = windowSeconds * 1000;

/** What a limiter counts: the name of its quota, what it is called in a sentence, and the problem of who has reached the limit. */
export interface CountedRequests {
  readonly name: string;
  readonly noun: string;
  readonly code: ProblemCode;
}

const allRequests: CountedRequests = { name: "requests", noun: "requests", code: "too-many-requests" };

/** Counts the requests of each principal. Per instance and in memory: cheap enough for every read. */
export interface RequestLimiter {
  /** Counts one request and says what is left; null where requests are not limited. Throws RateLimitedError when nothing was left. */
  take(principalId: string): QuotaState | null;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Makes the limiter: `perMinute` requests in a minute that begins with a principal's first one; 0 for no limit. At most `maxPrincipals`
 * windows are kept. The least recently used ones are evicted and start afresh: a principal that keeps sending requests is not evicted,
 * however many others do.
 */
export function createRequestLimiter(options: {
  readonly perMinute: number;
  readonly maxPrincipals?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
  /** All requests unless it is said. */
  readonly counted?: CountedRequests;
}): RequestLimiter {
  const { perMinute, maxPrincipals = 10_000, now = () => performance.now(), counted = allRequests } = options;
  if (perMinute === 0) return { take: () => null };
  // Whole milliseconds: a minute from now is not 60.000…1 s away.
  const clock = { now: () => Math.floor(now()) };
  const windows = new LRUCache<string, Window>({
    max: maxPrincipals,
    // What is as old as this still counts.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: clock,
  });

  function begin(principalId: string, at: number): Window {
    const window = { endsAt: at + windowMs, used: 0 };
    windows.set(principalId, window);
    return window;
  }

  return {
    take(principalId) {
      const at = clock.now();
      const window = windows.get(principalId) ?? begin(principalId, at);
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - at) / 1000));
      const left = perMinute - window.used;
      const quota = { name: counted.name, limit: perMinute, windowSeconds, resetSeconds };
      if (left <= 0) {
        throw new RateLimitedError(
          counted.code,
          `Limit of ${perMinute.toLocaleString("en-US")} ${counted.noun} a minute reached; retry in ${resetSeconds} s.`,
          { retryAfterSeconds: resetSeconds, quotas: [{ ...quota, remaining: 0 }] },
        );
      }
      window.used += 1;
      return { ...quota, remaining: left - 1 };
    },
  };
}
