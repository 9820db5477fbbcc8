import type { RateLimitedError } from "@reports/core/caller";
import { LRUCache } from "lru-cache";

/** For how long a refusal is remembered, so that a flood costs one look at the database a second and address. */
const rememberRefusalMs = 1_000;
const maxRemembered = 10_000;

/** Addresses that were refused a moment ago because of failures that are counted elsewhere, where what is forgotten is looked up again. */
export interface RememberedRefusals {
  /** Throws what the address was refused with. */
  assertNone(address: string): void;
  add(address: string, refusal: RateLimitedError): void;
}

/** Makes an empty memory. */
export function createRememberedRefusals(now: () => number): RememberedRefusals {
  const refusals = new LRUCache<string, RateLimitedError>({
    max: maxRemembered,
    ttl: rememberRefusalMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    assertNone(address) {
      const refusal = refusals.get(address);
      if (refusal !== undefined) throw refusal;
    },
    add: (address, refusal) => void refusals.set(address, refusal),
  };
}
