import {
  domainsCollection,
  proxiesCollection,
  type Domain,
  type DomainInput,
  type Proxy,
  type ProxyInput,
} from "@reports/core/inventory";
import type { CollectionDefinition, CollectionStore } from "@reports/core/record";
import { createCollectionStore } from "./collection-store.ts";
import type { CollectionTableMapping, CollectionTableOf } from "./collection-table.ts";
import type { Database } from "../database/database.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { domainsRelation } from "../relations/domains-relation.ts";
import { proxiesRelation } from "../relations/proxies-relation.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";

const proxiesMapping: CollectionTableMapping = {
  table: proxies satisfies CollectionTableOf<Proxy>,
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
};

const domainsMapping: CollectionTableMapping = {
  table: domains satisfies CollectionTableOf<Domain>,
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
};

interface InventoryCollectionEntry {
  readonly definition: CollectionDefinition<object>;
  readonly mapping: CollectionTableMapping;
  readonly children?: readonly InventoryCollectionEntry[];
}

const inventory: readonly InventoryCollectionEntry[] = [
  {
    definition: proxiesCollection,
    mapping: proxiesMapping,
    children: [{ definition: domainsCollection, mapping: domainsMapping }],
  },
];

export interface InventoryCollection {
  readonly definition: CollectionDefinition;
  readonly store: CollectionStore;
  readonly children: readonly InventoryCollection[];
}

export function createInventoryCollections(
  database: Database,
  lists: ListConnectionPool,
): readonly InventoryCollection[] {
  const open = ({ definition, mapping, children = [] }: InventoryCollectionEntry): InventoryCollection => ({
    definition,
    store: createCollectionStore(database, lists, definition, mapping),
    children: children.map(open),
  });
  return inventory.map(open);
}

export const inventoryTableMappings: readonly CollectionTableMapping[] = tablesOf(inventory);

function tablesOf(entries: readonly InventoryCollectionEntry[]): readonly CollectionTableMapping[] {
  return entries.flatMap(({ mapping, children = [] }) => [...tablesOf(children), mapping]);
}

export function createProxyStore(database: Database, lists: ListConnectionPool): CollectionStore<Proxy, ProxyInput> {
  return createCollectionStore(database, lists, proxiesCollection, proxiesMapping);
}

export function createDomainStore(database: Database, lists: ListConnectionPool): CollectionStore<Domain, DomainInput> {
  return createCollectionStore(database, lists, domainsCollection, domainsMapping);
}
