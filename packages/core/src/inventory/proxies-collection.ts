import { newestFirstSort, type CollectionDefinition } from "../record/collection-definition.ts";
import { proxyFilters } from "./proxy-filters.ts";
import { proxyResourceSchema, proxyInputRules, type ProxyInput } from "./proxy-record.ts";

export const proxiesCollection: CollectionDefinition<ProxyInput> = {
  name: "proxies",
  singular: "proxy",
  title: "Proxies",
  description: "The proxies of the inventory.",
  schema: proxyResourceSchema,
  rules: proxyInputRules,
  filters: proxyFilters,
  sortable: Object.keys(proxyResourceSchema.shape).filter((field) => field !== "tags"),
  defaultSort: newestFirstSort,
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
