import { newestFirstSort, type CollectionDefinition } from "../record/collection-definition.ts";
import { crossProxyDomainFilters, domainFilters } from "./domain-filters.ts";
import { domainResourceSchema, domainInputRules, type DomainInput } from "./domain-record.ts";

const sortableFields = Object.keys(domainResourceSchema.shape);

export const domainsCollection: CollectionDefinition<DomainInput> = {
  name: "domains",
  singular: "domain",
  title: "Domains of a proxy",
  description: "The domains that one proxy serves.",
  schema: domainResourceSchema,
  rules: domainInputRules,
  filters: domainFilters,
  sortable: sortableFields,
  defaultSort: newestFirstSort,
  authorities: { read: "REGISTRY_READ", write: "REGISTRY_WRITE" },
  parentField: "proxyId",
  acrossParents: {
    title: "Domains",
    description: "The domains of all proxies: who serves this host?",
    filters: crossProxyDomainFilters,
    sortable: [...sortableFields, "proxyName", "proxyRegion", "proxyEnvironment", "proxyOwnerTeam"],
  },
  example: {
    hostname: "shop.example.org",
    upstreamScheme: "HTTP",
    upstreamHost: "10.0.0.12",
    upstreamPort: 8080,
    tlsMode: "ACME",
    certIssuer: "Let's Encrypt R11",
    certKeyType: "ECDSA-P256",
    certNotBefore: "2026-10-01T00:00:00Z",
    certNotAfter: "2026-12-30T00:00:00Z",
    certFingerprintSha256: "5e8848a0b7b1c1c0f2f6d3a1f4f0e0d9c8b7a695847362514039281706f5e4d3",
    httpsForced: true,
    hstsEnabled: true,
  },
};
