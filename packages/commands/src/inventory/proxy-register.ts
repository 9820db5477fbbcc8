import type { ProxyKey } from "@reports/db";

interface Place {
  readonly id: string;
  /** Line of the file, or null when the database has it. */
  readonly line: number | null;
}

/** The proxies that a load may name: those that the database has, and those of the file. */
export interface ProxyRegister {
  /** What is taken already by another proxy, in words; empty when the proxy may be added. */
  conflicts(proxy: Omit<ProxyKey, "id">): readonly { readonly column: string; readonly reason: string }[];
  add(proxy: ProxyKey, line: number): void;
  /** Remembers the name of a proxy that was refused, so that its domains are not refused for its sake. */
  addRefused(name: string): void;
  /** The id, "refused" for a proxy that has its own problems, or undefined when there is none of that name. */
  idOf(name: string): string | undefined;
  isRefused(name: string): boolean;
  hasId(id: string): boolean;
  /** Whether the proxy was there before the load, and may have domains. */
  isOld(id: string): boolean;
}

/** Starts with what the database has. */
export function createProxyRegister(existing: readonly ProxyKey[]): ProxyRegister {
  const byName = new Map<string, Place>();
  const byAddress = new Map<string, Place>();
  const old = new Set<string>();
  const added = new Set<string>();
  const refused = new Set<string>();
  const addressOf = ({ address, port }: Omit<ProxyKey, "id">): string => `${address} ${port}`;
  for (const proxy of existing) {
    old.add(proxy.id);
    byName.set(proxy.name, { id: proxy.id, line: null });
    byAddress.set(addressOf(proxy), { id: proxy.id, line: null });
  }
  return {
    conflicts(proxy) {
      const conflicts = [];
      const sameName = byName.get(proxy.name);
      if (sameName !== undefined)
        conflicts.push({ column: "name", reason: `${proxy.name} is taken: ${where(sameName)}` });
      const sameAddress = byAddress.get(addressOf(proxy));
      if (sameAddress !== undefined) {
        conflicts.push({
          column: "address",
          reason: `${proxy.address} with port ${proxy.port} is taken: ${where(sameAddress)}`,
        });
      }
      return conflicts;
    },
    add(proxy, line) {
      added.add(proxy.id);
      byName.set(proxy.name, { id: proxy.id, line });
      byAddress.set(addressOf(proxy), { id: proxy.id, line });
    },
    addRefused: (name) => void refused.add(name),
    idOf: (name) => byName.get(name)?.id,
    isRefused: (name) => refused.has(name),
    hasId: (id) => old.has(id) || added.has(id),
    isOld: (id) => old.has(id),
  };
}

function where({ line }: Place): string {
  return line === null ? "the register has such a proxy already" : `line ${line} has the same`;
}
