import type { z } from "zod";
import type { domainInputSchema, domainResourceSchema } from "../inventory/domain-record.ts";
import type { proxyInputSchema, proxyResourceSchema } from "../inventory/proxy-record.ts";

/** One proxy as callers see it. docs/reference/resources/proxies.md#fields. */
export type Proxy = z.output<typeof proxyResourceSchema>;

/** The fields of a proxy that callers write. docs/reference/resources/proxies.md#fields. */
export type ProxyInput = z.input<typeof proxyInputSchema>;

/** One domain as callers see it. docs/reference/resources/domains.md#fields. */
export type Domain = z.output<typeof domainResourceSchema>;

/** The fields of a domain that callers write. docs/reference/resources/domains.md#fields. */
export type DomainInput = z.input<typeof domainInputSchema>;
