import { addAbortListener } from "node:events";
import { lookup, Resolver } from "node:dns/promises";
import type { LookupAddress } from "node:dns";

/** A running DNS lookup. It may end later than the caller that asked for it, which has a time limit. */
export interface RunningDnsLookup {
  /** The found addresses. Rejects with an error that has a `code`. */
  readonly addresses: Promise<readonly LookupAddress[]>;
  /** Resolves when the lookup has ended completely and holds no thread. */
  readonly ended: Promise<unknown>;
}

export type FindAddresses = (hostname: string, signal: AbortSignal) => RunningDnsLookup;

/** Times of a lookup in milliseconds. */
interface NameServerTimes {
  /** Time until a query without an answer is repeated. Each repetition doubles it. */
  readonly timeout: number;
  /** Maximum queries per family of addresses (IPv4 or IPv6). */
  readonly tries: number;
  /** Time to wait for the addresses of the other family after one family was answered. Some name servers answer only for IPv4. */
  readonly otherFamilyMs: number;
}

const defaultTimes: NameServerTimes = { timeout: 1_000, tries: 4, otherFamilyMs: 300 };

/** Creates a lookup that queries `servers`, or those of /etc/resolv.conf, without holding a thread. It ignores /etc/hosts and search domains. */
export function createNameServerLookup(servers?: readonly string[], times = defaultTimes): FindAddresses {
  return (hostname, signal) => {
    const addresses = askNameServers(hostname, servers, signal, times);
    return { addresses, ended: addresses.catch(() => undefined) };
  };
}

async function askNameServers(
  hostname: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
  { otherFamilyMs, ...retries }: NameServerTimes,
): Promise<readonly LookupAddress[]> {
  signal.throwIfAborted();
  // Each lookup has a separate resolver, because `cancel` would end all lookups of a shared one.
  const resolver = new Resolver(retries);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  let late: NodeJS.Timeout | undefined;
  const ask = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
    late ??= setTimeout(cancel, otherFamilyMs);
    return found.map((address) => ({ address, family }));
  };
  using _ = addAbortListener(signal, cancel);
  try {
    const results = await Promise.allSettled([ask(4), ask(6)]);
    const found = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (found.length > 0) return found;
    signal.throwIfAborted();
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // If one family (IPv4 or IPv6) failed and the other has no address, the failure is the more useful error.
    throw errors.find((error) => !hasNoAddress(error)) ?? errors[0];
  } finally {
    clearTimeout(late);
  }
}

function hasNoAddress(error: unknown): boolean {
  return ["ENODATA", "ENOTFOUND"].includes((error as { code?: string }).code ?? "");
}

/**
 * Creates a lookup through the system, with /etc/hosts and search domains. A lookup holds a thread of Node's pool and can't be cancelled, so
 * only one runs at a time. (Node lets lookups use half of the pool, two threads by default.)
 */
export function createSystemLookup(): FindAddresses {
  let last: Promise<unknown> = Promise.resolve();
  return (hostname, signal) => {
    const running = last.then(async () => {
      signal.throwIfAborted();
      return lookup(hostname, { all: true });
    });
    const ended = running.catch(() => undefined);
    last = ended;
    return { addresses: Promise.race([running, rejectWhenAborted(signal)]), ended };
  };
}

async function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
