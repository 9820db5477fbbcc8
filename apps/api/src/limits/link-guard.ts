import { createRememberedRefusals } from "@reports/auth";
import { createSemaphore, fairPolicy } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { DownloadLinkStore, LinkThrottle } from "@reports/core/report";

/** Of the database's connections, how many the followers of links have at once; and how many of them one address leaves to others. */
const connections = 3;
const leftToOthers = 1;

/** Keeps those who follow links that are none from costing others their connections to the database. */
export interface LinkGuard {
  /** The store, as somebody at this address may ask it: addresses take turns. */
  linksFor(address: string): Pick<DownloadLinkStore, "find">;
  /** Counts a link that led nowhere. Throws RateLimitedError where there were too many before it. */
  countFailure(address: string): Promise<void>;
}

/**
 * Makes the guard over failures that are counted elsewhere. An address that has too many is refused for a second without anything being
 * counted, and of any address one failure is counted at a time. Its links that live are found all the same: nobody can spoil them for others
 * behind the same address. docs/reference/limits.md#limits-of-requests.
 */
export function createLinkGuard(deps: {
  readonly links: Pick<DownloadLinkStore, "find">;
  readonly throttle: LinkThrottle;
  readonly now: () => number;
}): LinkGuard {
  const { links, throttle, now } = deps;
  const refusals = createRememberedRefusals(now);
  const counting = new Map<string, Promise<void>>();
  // Whoever waits here has a connection, and of those there is a bounded number.
  const turns = createSemaphore<string>(fairPolicy(connections, leftToOthers));

  async function count(address: string): Promise<void> {
    const quota = await turns.run(address, async () => throttle.countFailure(address));
    if (quota === null) return;
    const seconds = quota.resetSeconds ?? 60;
    const refusal = new RateLimitedError(
      "too-many-unknown-links",
      `Too many links that were followed from this address do not exist or have ended; retry in ${seconds} s.`,
      { retryAfterSeconds: seconds, quotas: [quota] },
    );
    refusals.add(address, refusal);
    throw refusal;
  }

  return {
    linksFor: (address) => ({ find: async (tokenHash) => turns.run(address, async () => links.find(tokenHash)) }),
    async countFailure(address) {
      for (let before = counting.get(address); before !== undefined; before = counting.get(address))
        await before.catch(() => undefined);
      refusals.assertNone(address);
      const own = count(address).finally(() => counting.delete(address));
      counting.set(address, own);
      await own;
    },
  };
}
