import type { RateLimitedError } from "@reports/core/caller";
import { LRUCache } from "lru-cache";

/** Limits a flood to one database read per second and address. */
const rememberRefusalMs = 1_000;
const maxRemembered = 10_000;

/** Addresses recently refused for failures that are counted elsewhere, to which forgetting defers. */
export interface RememberedRefusals {
  /** Throws the address's refusal. */
  assertNone(address: string): void;
  add(address: string, refusal: RateLimitedError): void;
}

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
