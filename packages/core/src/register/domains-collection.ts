import { z } from "zod";
import { choiceField } from "./choice-field.ts";
import { newestFirst, type CollectionDefinition } from "../collection/collection-definition.ts";
import { crossProxyDomainFilters, domainFilters } from "./domain-filters.ts";
import { domainRules, type DomainInput } from "./domain-schema.ts";
import { certKeyTypes, domainStatuses, tlsMinVersions, tlsModes, upstreamSchemes } from "./domain.ts";

const time = z.iso.datetime();

/** One domain as callers see it. docs/contract.md §1.4. */
export const domainResourceSchema = z
  .strictObject({
    id: z.uuidv7(),
    proxyId: z.uuidv7(),
    hostname: z.string(),
    hostnameAscii: z.string(),
    pathPrefix: z.string(),
    status: choiceField(domainStatuses),
    upstreamScheme: choiceField(upstreamSchemes),
    upstreamHost: z.string(),
    upstreamPort: z.int().min(1).max(65_535),
    tlsMode: choiceField(tlsModes),
    tlsMinVersion: choiceField(tlsMinVersions).nullable(),
    certIssuer: z.string().nullable(),
    certKeyType: choiceField(certKeyTypes).nullable(),
    certNotBefore: time.nullable(),
    certNotAfter: time.nullable(),
    certFingerprintSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    httpsForced: z.boolean(),
    hstsEnabled: z.boolean(),
    http2Enabled: z.boolean(),
    requests24h: z.int().min(0).nullable(),
    bytesOut24h: z.int().min(0).nullable(),
    errorRate5xx24h: z.number().min(0).max(1).nullable(),
    lastCheckedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Domain", description: "One domain that a proxy serves." });

const sortable = Object.keys(domainResourceSchema.shape);

/** `/v1/proxies/{id}/domains`, and `/v1/domains` across proxies. docs/contract.md §1.1. */
export const domainsCollection: CollectionDefinition<DomainInput> = {
  name: "domains",
  singular: "domain",
  title: "Domains of a proxy",
  description: "The domains that one proxy serves.",
  schema: domainResourceSchema,
  rules: domainRules,
  filters: domainFilters,
  sortable,
  defaultSort: newestFirst,
  authorities: { read: "REGISTRY_READ", write: "REGISTRY_WRITE" },
  parentField: "proxyId",
  acrossParents: {
    title: "Domains",
    description: "The domains of all proxies: who serves this host?",
    filters: crossProxyDomainFilters,
    sortable: [...sortable, "proxyName", "proxyRegion", "proxyEnvironment", "proxyOwnerTeam"],
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
