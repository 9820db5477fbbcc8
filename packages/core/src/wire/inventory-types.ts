import type { z } from "zod";
import type { domainInputSchema } from "../inventory/domain-schema.ts";
import type { domainResourceSchema } from "../inventory/domains-collection.ts";
import type { proxyResourceSchema } from "../inventory/proxies-collection.ts";
import type { proxyInputSchema } from "../inventory/proxy-schema.ts";

/** One proxy as callers see it. docs/contract.md §1.3. */
export type Proxy = z.output<typeof proxyResourceSchema>;

/** What a caller writes of a proxy. docs/contract.md §1.3. */
export type ProxyInput = z.input<typeof proxyInputSchema>;

/** One domain as callers see it. docs/contract.md §1.4. */
export type Domain = z.output<typeof domainResourceSchema>;

/** What a caller writes of a domain. docs/contract.md §1.4. */
export type DomainInput = z.input<typeof domainInputSchema>;
