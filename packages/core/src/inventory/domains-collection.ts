import { z } from "zod";
import { choiceField } from "./inventory-choices.ts";
import { newestFirst, type CollectionDefinition } from "../record/collection-definition.ts";
import { idField } from "../query/id-field.ts";
import { crossProxyDomainFilters, domainFilters } from "./domain-filters.ts";
import { domainRules, type DomainInput } from "./domain-schema.ts";
import { certKeyTypes, domainStatuses, tlsMinVersions, tlsModes, upstreamSchemes } from "./domain.ts";

const time = (description: string) => z.iso.datetime().meta({ description });
const text = (description: string) => z.string().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });

/** One domain as callers see it. docs/contract.md §1.4. */
export const domainResourceSchema = z
  .strictObject({
    id: idField("Id of the domain; set by the server."),
    proxyId: idField("The proxy that serves it."),
    hostname: text("The host name in Unicode; may begin with the wildcard *."),
    hostnameAscii: text("The host name in A-label form; made from hostname."),
    pathPrefix: text("The paths that it serves begin with this."),
    status: choiceField(domainStatuses),
    upstreamScheme: choiceField(upstreamSchemes),
    upstreamHost: text("Where requests go to: a host name in A-label form, an IPv4 or an IPv6 address."),
    upstreamPort: z.int().min(1).max(65_535).meta({ description: "The port to which requests go." }),
    tlsMode: choiceField(tlsModes),
    tlsMinVersion: choiceField(tlsMinVersions).nullable(),
    certIssuer: text("Who issued the certificate.").nullable(),
    certKeyType: choiceField(certKeyTypes).nullable(),
    certNotBefore: time("When the certificate becomes valid.").nullable(),
    certNotAfter: time("When the certificate expires.").nullable(),
    certFingerprintSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({ description: "SHA-256 of the certificate, as 64 hexadecimal digits." }),
    httpsForced: flag("Whether plain HTTP is redirected to HTTPS."),
    hstsEnabled: flag("Whether Strict-Transport-Security is sent; needs httpsForced."),
    http2Enabled: flag("Whether clients may speak HTTP/2."),
    requests24h: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Requests in the last 24 hours, as a probe counted them." }),
    bytesOut24h: z.int().min(0).nullable().meta({ description: "Bytes sent to clients in the last 24 hours." }),
    errorRate5xx24h: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "Share of the requests of the last 24 hours that were answered with 5xx, from 0 to 1." }),
    lastCheckedAt: time("When a probe last looked at it; null before the first time.").nullable(),
    createdAt: time("When it was registered."),
    updatedAt: time("When its configuration or an observed field last changed."),
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
