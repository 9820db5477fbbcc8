import { RateLimitedError, type QuotaState } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";
import { LRUCache } from "lru-cache";

const windowSeconds = 60;
const windowMs = windowSeconds * 1000;
/** Beyond this many times the limit, a request is refused before it is checked. docs/reference/http.md#order-of-checks. */
const floodFactor = 2;

/** A limiter's quota name, its name in sentences, and its problem. */
export interface CountedRequests {
  readonly name: string;
  readonly noun: string;
  readonly code: ProblemCode;
}

const allRequests: CountedRequests = { name: "requests", noun: "requests", code: "too-many-requests" };

export interface Counted {
  readonly quota: QuotaState;
  /** Set if nothing remained. */
  readonly refusal: RateLimitedError | null;
  /** Whether the principal exceeds twice the limit. */
  readonly isFlood: boolean;
}

/** Per instance and in memory: cheap enough for every read. */
export interface RequestLimiter {
  /** Counts one request, refused or not. Null without a limit. */
  count(principalId: string): Counted | null;
  /** Counts one request and returns the rest; null without a limit. Throws RateLimitedError if nothing remained. */
  take(principalId: string): QuotaState | null;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Makes the limiter: `perMinute` requests in a minute from a principal's first one; 0 for no limit. Keeps at most `maxPrincipals`
 * windows and evicts the least recently used, so that active principals stay.
 */
export function createRequestLimiter(options: {
  readonly perMinute: number;
  readonly maxPrincipals?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Default: all requests. */
  readonly counted?: CountedRequests;
}): RequestLimiter {
  const { perMinute, maxPrincipals = 10_000, now = () => performance.now(), counted = allRequests } = options;
  if (perMinute === 0) return { count: () => null, take: () => null };
  // Whole milliseconds: a minute from now is not 60.000…1 s away.
  const clock = { now: () => Math.floor(now()) };
  const windows = new LRUCache<string, Window>({
    max: maxPrincipals,
    // An entry of exactly this age still counts.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: clock,
  });

  function begin(principalId: string, at: number): Window {
    const window = { endsAt: at + windowMs, used: 0 };
    windows.set(principalId, window);
    return window;
  }

  function count(principalId: string): Counted {
    const at = clock.now();
    const window = windows.get(principalId) ?? begin(principalId, at);
    window.used += 1;
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - at) / 1000));
    const remaining = Math.max(0, perMinute - window.used);
    const quota = { name: counted.name, limit: perMinute, windowSeconds, resetSeconds, remaining };
    if (window.used <= perMinute) return { quota, refusal: null, isFlood: false };
    const refusal = new RateLimitedError(
      counted.code,
      `Limit of ${perMinute.toLocaleString("en-US")} ${counted.noun} per minute reached; retry in ${resetSeconds} s.`,
      { retryAfterSeconds: resetSeconds, quotas: [quota] },
    );
    return { quota, refusal, isFlood: window.used > floodFactor * perMinute };
  }

  return {
    count,
    take(principalId) {
      const { quota, refusal } = count(principalId);
      if (refusal !== null) throw refusal;
      return quota;
    },
  };
}
