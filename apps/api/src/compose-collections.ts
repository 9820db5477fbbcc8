import { domainsCollection, proxiesCollection } from "@reports/core";
import { createDomainStore, createProxyStore, type Database, type ListDatabase } from "@reports/db";
import { mountCollection, type MountedCollection } from "./resource/mounted-collection.ts";

/** The collections of the register, served from Postgres: proxies and the domains under them. */
export function registerCollections(database: Database, lists: ListDatabase): readonly MountedCollection[] {
  const domains = mountCollection(domainsCollection, createDomainStore(database, lists));
  return [mountCollection(proxiesCollection, createProxyStore(database, lists), [domains])];
}
