import { LRUCache } from "lru-cache";

/** In milliseconds. */
export const maxRefusalWaitMs = 2_000;
/** Share of its pace for which an address is refused without a wait, in milliseconds. */
const burstMs = 1_000;
/** All addresses together get this many times the refusals of one. */
const allAddresses = 5;

/** Keeps unauthenticated callers from exhausting the processor with refused requests. */
export interface RefusalPace {
  /** Counts a refusal and returns its delay in milliseconds. */
  take(address: string): number;
}

/**
 * Makes the pace: `perSecond` refusals to one address and five times as many to all, after a burst of as many; others wait, for two seconds at most. 0 turns it
 * off. Callers that await responses are slowed down on any number of connections, at no cost. Beyond `maxAddresses`, the addresses refused longest ago are
 * forgotten.
 */
export function createRefusalPace(options: {
  readonly perSecond: number;
  readonly maxAddresses?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}): RefusalPace {
  const { perSecond, maxAddresses = 10_000, now = () => performance.now() } = options;
  if (perSecond === 0) return { take: () => 0 };
  const stepMs = 1000 / perSecond;
  /** When the next refusal of an address, or of all, is due at its pace. */
  const dueAt = new LRUCache<string, number>({ max: maxAddresses });
  let allDueAt = -Infinity;

  return {
    take(address) {
      const at = now();
      const earliest = (known: number): number => Math.max(known, at - burstMs);
      const next = (due: number, step: number): number => Math.min(due + step, at + maxRefusalWaitMs);
      const due = earliest(dueAt.get(address) ?? -Infinity);
      const allDue = earliest(allDueAt);
      dueAt.set(address, next(due, stepMs));
      allDueAt = next(allDue, stepMs / allAddresses);
      return Math.max(0, due - at, allDue - at);
    },
  };
}
