import { lookup, Resolver } from "node:dns/promises";
import type { LookupAddress } from "node:dns";

/** A lookup that may outlast its attempt. */
export interface AddressSearch {
  /** The addresses; rejects with an error that has a code. */
  readonly addresses: Promise<readonly LookupAddress[]>;
  /** Resolves when the lookup has ended completely. */
  readonly ended: Promise<unknown>;
}

/** Finds the addresses of a host name until the signal aborts. */
export type FindAddresses = (hostname: string, signal: AbortSignal) => AddressSearch;

/** A question is sent again after 1 s, 2 s and 4 s. */
const retries = { timeout: 1_000, tries: 4 };
/** How long the addresses of one family wait for those of the other: some servers answer for IPv4 alone. */
const otherFamilyMs = 300;

/**
 * Asks name servers directly, without a thread: a server that never answers costs a socket until the signal aborts. Reads neither /etc/hosts
 * nor the search domains of /etc/resolv.conf. `servers` replaces those that /etc/resolv.conf names.
 */
export function createNameServerSearch(servers?: readonly string[]): FindAddresses {
  return (hostname, signal) => {
    const addresses = askNameServers(hostname, servers, signal);
    return { addresses, ended: addresses.catch(() => undefined) };
  };
}

async function askNameServers(
  hostname: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  signal.throwIfAborted();
  // One per lookup, because `cancel` ends all lookups of a resolver.
  const resolver = new Resolver(retries);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  let late: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
    late ??= setTimeout(cancel, otherFamilyMs);
    return found.map((address) => ({ address, family }));
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const results = await Promise.allSettled([ask(4), ask(6)]);
    const found = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (found.length > 0) return found;
    signal.throwIfAborted();
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // A failure of one family says more than the missing address of the other.
    throw errors.find((error) => !hasNoAddress(error)) ?? errors[0];
  } finally {
    signal.removeEventListener("abort", cancel);
    clearTimeout(late);
  }
}

function hasNoAddress(error: unknown): boolean {
  return ["ENODATA", "ENOTFOUND"].includes((error as { code?: string }).code ?? "");
}

/**
 * Asks the system, as every other program of the machine does: with /etc/hosts and search domains. Such a lookup occupies a thread of Node's
 * pool and can't be cancelled, so one runs at a time. (Node gives lookups half of the pool, two threads by default.)
 */
export function createSystemSearch(): FindAddresses {
  let last: Promise<unknown> = Promise.resolve();
  return (hostname, signal) => {
    const running = last.then(async () => {
      signal.throwIfAborted();
      return lookup(hostname, { all: true });
    });
    const ended = running.catch(() => undefined);
    last = ended;
    return { addresses: Promise.race([running, whenAborted(signal)]), ended };
  };
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
