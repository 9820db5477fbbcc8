import { createRememberedRefusals } from "@reports/auth";
import { createSemaphore, fairPolicy } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { DownloadLinkStore, LinkThrottle } from "@reports/core/report";

/** Database connections for links, and how many of them one address leaves to others. */
const connections = 3;
const reservedForOthers = 1;

/** Keeps guessed links from taking database connections from others. */
export interface LinkGuard {
  /** The store, for this address: addresses take turns. */
  linksFor(address: string): Pick<DownloadLinkStore, "find">;
  /** Counts an unknown link. Throws RateLimitedError after too many. */
  countFailure(address: string): Promise<void>;
}

/**
 * Makes the guard. An address with too many failures is refused for a second without counting, and only one failure per address is counted
 * at a time. Its valid links still work: nobody can block them for others behind the same address.
 * docs/reference/limits.md#limits-of-requests.
 */
export function createLinkGuard(deps: {
  readonly links: Pick<DownloadLinkStore, "find">;
  readonly throttle: LinkThrottle;
  readonly now: () => number;
}): LinkGuard {
  const { links, throttle, now } = deps;
  const refusals = createRememberedRefusals(now);
  const counting = new Map<string, Promise<void>>();
  // Each waiting call has a connection of the server, whose number is limited.
  const permits = createSemaphore<string>(fairPolicy(connections, reservedForOthers));

  async function count(address: string): Promise<void> {
    const quota = await permits.run(address, async () => throttle.countFailure(address));
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
    linksFor: (address) => ({ find: async (tokenHash) => permits.run(address, async () => links.find(tokenHash)) }),
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
