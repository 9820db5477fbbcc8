import { LRUCache } from "lru-cache";

export const maxRefusalWaitMs = 2_000;
/** Length of a burst in ms: the number of refusals that the throttle allows in this time is sent without a delay. */
const burstMs = 1_000;
/** Refusals per second to all addresses together, as a multiple of those to one address. */
const allAddressesFactor = 5;

/** Delays refusals, so that unauthenticated callers cannot use up the processor with requests. */
export interface RefusalThrottle {
  /** Counts a refusal to a client address, and returns its delay in milliseconds. */
  countRefusal(address: string): number;
}

/**
 * Creates the throttle of refusals: `perSecond` to one client address, five times as many to all. A burst of one second is not delayed, further
 * refusals by up to two seconds. 0 turns the delays off. Above `maxAddresses`, the addresses refused longest ago are forgotten.
 */
export function createRefusalThrottle(options: {
  readonly perSecond: number;
  readonly maxAddresses?: number;
  readonly now?: () => number;
}): RefusalThrottle {
  const { perSecond, maxAddresses = 10_000, now = () => performance.now() } = options;
  if (perSecond === 0) return { countRefusal: () => 0 };
  const stepMs = 1000 / perSecond;
  /** The time from which the next refusal to each address may be sent. `allDueAt` is that time for all addresses together. */
  const dueAt = new LRUCache<string, number>({ max: maxAddresses });
  let allDueAt = -Infinity;

  return {
    countRefusal(address) {
      const at = now();
      const earliest = (known: number): number => Math.max(known, at - burstMs);
      const next = (due: number, step: number): number => Math.min(due + step, at + maxRefusalWaitMs);
      const due = earliest(dueAt.get(address) ?? -Infinity);
      const allDue = earliest(allDueAt);
      dueAt.set(address, next(due, stepMs));
      allDueAt = next(allDue, stepMs / allAddressesFactor);
      return Math.max(0, due - at, allDue - at);
    },
  };
}
