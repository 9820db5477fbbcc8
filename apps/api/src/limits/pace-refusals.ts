import { LRUCache } from "lru-cache";

/** Longest delay of a refusal. */
export const maxRefusalWaitMs = 2_000;
/** Length of a burst: the refusals that the pace allows in this time are sent without a delay. */
const burstMs = 1_000;
/** All addresses together get this many times the refusals per second of one address. */
const allAddressesFactor = 5;

/** Delays refusals, so that unauthenticated callers cannot exhaust the processor. */
export interface RefusalPace {
  /** Counts a refusal and returns its delay in milliseconds. */
  countRefusal(address: string): number;
}

/**
 * Creates the pace of refusals: `perSecond` to one address, and five times as many to all addresses. A burst of one second is sent immediately.
 * Further refusals are delayed by up to two seconds. 0 turns the delays off. Above `maxAddresses`, the addresses refused longest ago are forgotten.
 */
export function createRefusalPace(options: {
  readonly perSecond: number;
  readonly maxAddresses?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}): RefusalPace {
  const { perSecond, maxAddresses = 10_000, now = () => performance.now() } = options;
  if (perSecond === 0) return { countRefusal: () => 0 };
  const stepMs = 1000 / perSecond;
  /** When the next refusal to an address is due. `allDueAt` is the same for all addresses together. */
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
