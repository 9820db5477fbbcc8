import { RateLimitedError, type QuotaState } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";
import { LRUCache } from "lru-cache";

const windowSeconds = 60;
const windowMs = windowSeconds * 1000;
/**
 * Above this multiple of its limit, a principal's request is refused immediately after authentication, without further checks.
 * docs/reference/http.md#order-of-checks.
 */
const floodFactor = 2;

/** The names of the counted requests: `name` in the header RateLimit, `noun` in sentences, and `code` in the problem. */
export interface RequestLimitNames {
  readonly name: string;
  readonly noun: string;
  readonly code: ProblemCode;
}

const allRequestsNames: RequestLimitNames = { name: "requests", noun: "requests", code: "too-many-requests" };

export interface RequestCountResult {
  readonly quota: QuotaState;
  readonly refusal: RateLimitedError | null;
  readonly isFlood: boolean;
}

/** Counts the requests of each principal in the memory of one API instance. It needs no query, so the API can count every request. */
export interface RequestLimiter {
  /** Counts one request, even if the API then refuses it. Returns null if there is no limit. */
  count(principalId: string): RequestCountResult | null;
  /** Counts one request and returns the remaining quota, or null if there is no limit. Throws RateLimitedError if the limit was already reached. */
  consume(principalId: string): QuotaState | null;
}

interface RequestWindow {
  readonly endsAt: number;
  used: number;
}

/**
 * Creates a limiter of `perMinute` requests per principal. A minute begins with the principal's first request. 0 means no limit. Keeps at most
 * `maxPrincipals` counts and evicts the least recently used one.
 */
export function createRequestLimiter(options: {
  readonly perMinute: number;
  readonly maxPrincipals?: number;
  readonly now?: () => number;
  readonly counted?: RequestLimitNames;
}): RequestLimiter {
  const { perMinute, maxPrincipals = 10_000, now = () => performance.now(), counted = allRequestsNames } = options;
  if (perMinute === 0) return { count: () => null, consume: () => null };
  // The clock counts whole milliseconds, so that rounding never makes a minute longer than 60 s.
  const clock = { now: () => Math.floor(now()) };
  const windows = new LRUCache<string, RequestWindow>({
    max: maxPrincipals,
    // lru-cache still returns an entry whose age equals the TTL, so the TTL is one millisecond shorter.
    ttl: windowMs - 1,
    ttlResolution: 0,
    perf: clock,
  });

  function begin(principalId: string, at: number): RequestWindow {
    const window = { endsAt: at + windowMs, used: 0 };
    windows.set(principalId, window);
    return window;
  }

  function count(principalId: string): RequestCountResult {
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
    consume(principalId) {
      const { quota, refusal } = count(principalId);
      if (refusal !== null) throw refusal;
      return quota;
    },
  };
}
