import {
  domainsCollection,
  proxiesCollection,
  type CollectionStore,
  type Domain,
  type DomainInput,
  type Proxy,
  type ProxyInput,
} from "@reports/core";
import { createCollectionStore } from "./collection-store.ts";
import type { Database } from "../database/database.ts";
import type { ListDatabase } from "../database/list-database.ts";
import { domainsRelation } from "../relations/domains.ts";
import { proxiesRelation } from "../relations/proxies.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";

/** Proxies in Postgres. A deleted one takes its domains along. */
export function createProxyStore(database: Database, lists: ListDatabase): CollectionStore<Proxy, ProxyInput> {
  return createCollectionStore(database, lists, proxiesCollection, {
    table: proxies,
    relation: proxiesRelation,
    children: [{ table: domains, column: domains.proxyId }],
    unique: [
      {
        constraint: "proxies_name_unique",
        fields: ["name"],
        pointers: ["/name"],
        message: "name is taken by another proxy.",
      },
      {
        constraint: "proxies_address_port_unique",
        fields: ["address", "port"],
        pointers: ["/address", "/port"],
        message: "address and port together are taken by another proxy.",
      },
    ],
  });
}

/** Domains in Postgres, under their proxies. */
export function createDomainStore(database: Database, lists: ListDatabase): CollectionStore<Domain, DomainInput> {
  return createCollectionStore(database, lists, domainsCollection, {
    table: domains,
    relation: domainsRelation,
    parent: { table: proxies, singular: "proxy", field: "proxyId", column: domains.proxyId },
    unique: [
      {
        constraint: "domains_hostname_path_unique",
        fields: ["proxyId", "hostnameAscii", "pathPrefix"],
        pointers: ["/hostname", "/pathPrefix"],
        message: "hostname and pathPrefix together are taken by another domain of this proxy.",
      },
    ],
  });
}
