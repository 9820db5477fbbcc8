import { domainsCollection, proxiesCollection } from "@reports/core";
import { createDomainStore, createProxyStore, type Database } from "@reports/db";
import { mountCollection, type MountedCollection } from "./resource/mounted-collection.ts";

/** The collections of the register, served from Postgres: proxies and the domains under them. */
export function registerCollections(database: Database): readonly MountedCollection[] {
  const domains = mountCollection(domainsCollection, createDomainStore(database));
  return [mountCollection(proxiesCollection, createProxyStore(database), [domains])];
}
