import { z } from "zod";
import { choiceField } from "./choice-field.ts";
import { newestFirst, type CollectionDefinition } from "../collection/collection-definition.ts";
import { proxyFilters } from "./proxy-filters.ts";
import { proxyRules, type ProxyInput } from "./proxy-schema.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

const time = z.iso.datetime();

/** One proxy as callers see it. docs/contract.md §1.3. */
export const proxyResourceSchema = z
  .strictObject({
    id: z.uuidv7(),
    name: z.string(),
    description: z.string(),
    ownerTeam: z.string().nullable(),
    contactEmail: z.string().nullable(),
    tags: z.array(z.string()),
    kind: choiceField(proxyKinds),
    software: choiceField(proxySoftwares),
    softwareVersion: z.string().nullable(),
    address: z.string(),
    port: z.int().min(1).max(65_535),
    protocol: choiceField(proxyProtocols),
    region: z.string().nullable(),
    countryCode: z.string().nullable(),
    environment: choiceField(environments),
    adminState: choiceField(adminStates),
    health: choiceField(healths),
    lastCheckedAt: time.nullable(),
    latencyMsP95: z.int().min(0).nullable(),
    maxConnections: z.int().min(1).nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Proxy", description: "One proxy of the register." });

/** `/v1/proxies`. docs/contract.md §1.1. */
export const proxiesCollection: CollectionDefinition<ProxyInput> = {
  name: "proxies",
  singular: "proxy",
  title: "Proxies",
  description: "The proxies of the register.",
  schema: proxyResourceSchema,
  rules: proxyRules,
  filters: proxyFilters,
  sortable: Object.keys(proxyResourceSchema.shape).filter((field) => field !== "tags"),
  defaultSort: newestFirst,
  authorities: { read: "REGISTRY_READ", write: "REGISTRY_WRITE" },
  example: {
    name: "edge-fra-1",
    kind: "REVERSE",
    address: "edge-fra-1.example.net",
    port: 443,
    protocol: "HTTPS",
    software: "NGINX",
    region: "eu-central",
    countryCode: "DE",
    tags: ["edge"],
  },
};
