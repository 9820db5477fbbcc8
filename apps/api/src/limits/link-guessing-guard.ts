import { createRefusedLoginCache } from "@reports/auth";
import { createSemaphore, createFairSemaphorePolicy } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { DownloadLinkStore, DownloadLinkThrottle } from "@reports/core/report";

/** Number of database connections for download links. `connectionsForOthers` of them are reserved for addresses that use none. */
const maxLinkConnections = 3;
const connectionsForOthers = 1;

/** Limits the database connections for download links, and refuses addresses that request too many unknown links. Anyone can guess links. */
export interface LinkGuessingGuard {
  linksFor(address: string): Pick<DownloadLinkStore, "find">;
  countFailure(address: string): Promise<void>;
}

/**
 * Creates the guard. If an address has requested too many unknown links, its further unknown links are refused for a second without being counted.
 * Only one unknown link per address is counted at a time. Valid links still work, because other callers may share the address.
 * docs/reference/limits.md#limits-of-requests.
 */
export function createLinkGuessingGuard(deps: {
  readonly links: Pick<DownloadLinkStore, "find">;
  readonly throttle: DownloadLinkThrottle;
  readonly now: () => number;
}): LinkGuessingGuard {
  const { links, throttle, now } = deps;
  const refusals = createRefusedLoginCache(now);
  const counting = new Map<string, Promise<void>>();
  // The queue of this semaphore needs no limit. Each entry has an open client connection, and the server limits those.
  const permits = createSemaphore<string>(createFairSemaphorePolicy(maxLinkConnections, connectionsForOthers));

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
