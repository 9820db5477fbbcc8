import type { RateLimitedError } from "@reports/core/caller";
import { LRUCache } from "lru-cache";

/** Milliseconds for which an address is refused without a query, so that a flood causes one query per second and address. */
const cacheMs = 1_000;
const maxRemembered = 10_000;

/** Addresses whose login was refused within the last second. The database counts their failures, so a lost entry does no harm. */
export interface RefusedLoginCache {
  assertNone(address: string): void;
  add(address: string, refusal: RateLimitedError): void;
}

export function createRefusedLoginCache(now: () => number): RefusedLoginCache {
  // Made at the first refusal, because it allocates memory for all addresses.
  let refusals: LRUCache<string, RateLimitedError> | undefined;
  return {
    assertNone(address) {
      const refusal = refusals?.get(address);
      if (refusal !== undefined) throw refusal;
    },
    add(address, refusal) {
      refusals ??= new LRUCache({ max: maxRemembered, ttl: cacheMs, ttlResolution: 0, perf: { now } });
      refusals.set(address, refusal);
    },
  };
}
