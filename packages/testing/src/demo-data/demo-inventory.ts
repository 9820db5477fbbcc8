import type { Domain, Proxy } from "@reports/core/inventory";
import { makeDemoDomain, makeDemoCompanyHostname, type DemoDomainContext } from "./demo-domain.ts";
import { makeDemoProxyId, makeDemoProxy } from "./demo-proxy.ts";

export interface DemoInventoryOptions {
  readonly seed?: number;
  /** Default: one per 50 domains, at least 60. */
  readonly proxies?: number;
  readonly domains?: number;
  /** Time relative to which certificates expire. Default: now. */
  readonly asOf?: Date;
}

/** Generates the records during iteration. Both iterables can be read repeatedly, and yield the same records each time. */
export interface DemoInventory {
  readonly proxies: Iterable<Proxy>;
  readonly domains: Iterable<Domain>;
  readonly counts: { readonly proxies: number; readonly domains: number };
}

/** Generates a realistic inventory of any size. The API accepts every record, and every domain has a proxy of the same inventory. */
export function generateDemoInventory(options: DemoInventoryOptions = {}): DemoInventory {
  const { seed = 1, domains = 2500, asOf = new Date() } = options;
  const proxies = options.proxies ?? Math.max(60, Math.round(domains / 50));
  if (!Number.isSafeInteger(proxies) || proxies < 1)
    throw new RangeError(`proxies must be an integer of at least 1, and is ${proxies}.`);
  if (!Number.isSafeInteger(domains) || domains < 0)
    throw new RangeError(`domains must be an integer of at least 0, and is ${domains}.`);
  const proxyIds: string[] = [];
  const proxyId = (index: number): string => (proxyIds[index] ??= makeDemoProxyId(seed, index, proxies, asOf));
  const scale: DemoDomainContext = {
    seed,
    proxies,
    domains,
    asOf,
    proxyId,
    site: rememberLast(makeDemoCompanyHostname),
  };
  return {
    counts: { proxies, domains },
    proxies: generateLazily(proxies, (index) => makeDemoProxy(seed, index, proxies, asOf)),
    domains: generateLazily(domains, (index) => makeDemoDomain(scale, index)),
  };
}

function generateLazily<T>(count: number, make: (index: number) => T): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index++) yield make(index);
    },
  };
}

/** Caches the last result. One entry is enough, because consecutive domains belong to the same company. */
function rememberLast<T>(make: (key: number) => T): (key: number) => T {
  let last: { readonly key: number; readonly value: T } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
