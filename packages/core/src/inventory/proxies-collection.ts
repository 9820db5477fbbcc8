import { z } from "zod";
import { choiceField } from "./inventory-choices.ts";
import { newestFirst, type CollectionDefinition } from "../record/collection-definition.ts";
import { idField } from "../query/id-field.ts";
import { proxyFilters } from "./proxy-filters.ts";
import { proxyRules, type ProxyInput } from "./proxy-schema.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

const time = (description: string) => z.iso.datetime().meta({ description });
const text = (description: string) => z.string().meta({ description });

/** One proxy as callers see it. docs/contract.md §1.3. */
export const proxyResourceSchema = z
  .strictObject({
    id: idField("Id of the proxy; set by the server."),
    name: text("What it is called; unique among undeleted proxies."),
    description: text("What people should know of it; may have several lines."),
    ownerTeam: text("The team that runs it.").nullable(),
    contactEmail: text("The e-mail address of those who run it.").nullable(),
    tags: z.array(z.string()).meta({ description: "Free labels, each once." }),
    kind: choiceField(proxyKinds),
    software: choiceField(proxySoftwares),
    softwareVersion: text("The version of the software, as it calls itself.").nullable(),
    address: text("Where it listens: a host name in A-label form, an IPv4 or an IPv6 address."),
    port: z.int().min(1).max(65_535).meta({ description: "The port on which it listens." }),
    protocol: choiceField(proxyProtocols),
    region: text("Where it is, in the operators' own words.").nullable(),
    countryCode: text("The country where it is, as an ISO 3166-1 alpha-2 code.").nullable(),
    environment: choiceField(environments),
    adminState: choiceField(adminStates),
    health: choiceField(healths),
    lastCheckedAt: time("When a probe last looked at it; null before the first time.").nullable(),
    latencyMsP95: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "95th percentile of its latency in milliseconds, as probes measured it." }),
    maxConnections: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "How many connections it takes at once; null where that is not known." }),
    createdAt: time("When it was registered."),
    updatedAt: time("When its configuration or an observed field last changed."),
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
