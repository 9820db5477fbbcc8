import { LRUCache } from "lru-cache";

/** The longest that a refusal waits, in milliseconds. */
export const maxRefusalWaitMs = 2_000;
/** For how much of its pace an address is refused without a wait, in milliseconds. */
const burstMs = 1_000;
/** How many times as many refusals as one address all addresses together get. */
const allAddresses = 5;

/** Keeps unauthenticated callers from exhausting the processor with requests that are refused. */
export interface RefusalPace {
  /** Counts a refusal of the address and says how long it waits for its answer, in milliseconds. */
  take(address: string): number;
}

/**
 * Makes the pace: `perSecond` refusals to one address and five times as many to all, after as many at once; further ones wait, for two seconds
 * at the most. 0 switches it off. A caller that waits for each response before it sends the next request is slowed down, on however many connections, and costs
 * nothing in the meantime. Beyond `maxAddresses` the addresses that were refused longest ago are forgotten and start afresh.
 */
export function createRefusalPace(options: {
  readonly perSecond: number;
  readonly maxAddresses?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}): RefusalPace {
  const { perSecond, maxAddresses = 10_000, now = () => performance.now() } = options;
  if (perSecond === 0) return { take: () => 0 };
  const stepMs = 1000 / perSecond;
  /** When the next refusal of an address is due if all come at their pace; and of all addresses. */
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
