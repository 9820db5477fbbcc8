import { and, inArray, isNull } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";

export interface ProxyKey {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly port: number;
}

export interface DomainKey {
  readonly proxyId: string;
  readonly hostnameAscii: string;
  readonly pathPrefix: string;
}

export interface InventoryKeyReader {
  proxyKeys(): Promise<readonly ProxyKey[]>;
  /** Returns the keys of active domains with one of these host names. Accepts at most 10,000 names per call. */
  domainKeys(hostnamesAscii: readonly string[]): Promise<readonly DomainKey[]>;
}

export function createInventoryKeyReader(database: Database): InventoryKeyReader {
  return {
    proxyKeys: () =>
      database.query((queries) =>
        queries
          .select({ id: proxies.id, name: proxies.name, address: proxies.address, port: proxies.port })
          .from(proxies)
          .where(isNull(proxies.deletedAt)),
      ),
    domainKeys: async (hostnamesAscii) => {
      if (hostnamesAscii.length === 0) return [];
      return database.query((queries) =>
        queries
          .select({ proxyId: domains.proxyId, hostnameAscii: domains.hostnameAscii, pathPrefix: domains.pathPrefix })
          .from(domains)
          .where(and(isNull(domains.deletedAt), inArray(domains.hostnameAscii, [...hostnamesAscii]))),
      );
    },
  };
}
