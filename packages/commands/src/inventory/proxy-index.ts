import type { ProxyKey } from "@reports/db";

interface KnownProxy {
  readonly id: string;
  /** The line of the file with the proxy, or null for a proxy of the database. */
  readonly line: number | null;
}

export interface ProxyIndex {
  /** Returns the columns whose value another proxy already has, with the reason. If the result is empty, the proxy may be added. */
  conflicts(proxy: Omit<ProxyKey, "id">): readonly { readonly column: string; readonly reason: string }[];
  add(proxy: ProxyKey, line: number): void;
  /** Stores the name of a proxy whose row was refused, so that rows of its domains are not reported as errors too. */
  addRefused(name: string): void;
  idOf(name: string): string | undefined;
  isRefused(name: string): boolean;
  hasId(id: string): boolean;
  /** Reports whether the proxy was in the database before this load. Only such a proxy can already have domains, which then have to be looked up. */
  existedBefore(id: string): boolean;
}

export function createProxyIndex(existing: readonly ProxyKey[]): ProxyIndex {
  const byId = new Map<string, KnownProxy>();
  const byName = new Map<string, KnownProxy>();
  const byAddress = new Map<string, KnownProxy>();
  const refused = new Set<string>();
  const addressOf = ({ address, port }: Omit<ProxyKey, "id">): string => `${address} ${port}`;
  const add = (proxy: ProxyKey, line: number | null): void => {
    const known = { id: proxy.id, line };
    byId.set(proxy.id, known);
    byName.set(proxy.name, known);
    byAddress.set(addressOf(proxy), known);
  };
  for (const proxy of existing) add(proxy, null);
  return {
    conflicts(proxy) {
      const conflicts = [];
      const sameName = byName.get(proxy.name);
      if (sameName !== undefined)
        conflicts.push({ column: "name", reason: `${proxy.name} is taken: ${describeDuplicate(sameName)}` });
      const sameAddress = byAddress.get(addressOf(proxy));
      if (sameAddress !== undefined) {
        conflicts.push({
          column: "address",
          reason: `${proxy.address} with port ${proxy.port} is taken: ${describeDuplicate(sameAddress)}`,
        });
      }
      return conflicts;
    },
    add,
    addRefused: (name) => void refused.add(name),
    idOf: (name) => byName.get(name)?.id,
    isRefused: (name) => refused.has(name),
    hasId: (id) => byId.has(id),
    existedBefore: (id) => byId.get(id)?.line === null,
  };
}

function describeDuplicate({ line }: KnownProxy): string {
  return line === null ? "the inventory already has such a proxy" : `line ${line} has the same`;
}
