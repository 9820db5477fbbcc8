import type { CallOptions } from "./call-options.ts";
import { collectionOf, type Collection } from "./collection.ts";
import type { DownloadPlatform } from "./download-file.ts";
import type { List } from "./list.ts";
import { reportTypesOf, type ReportTypes } from "./report-types.ts";
import { createReports, type Reports } from "./reports.ts";
import { resourcesAt } from "./resource.ts";
import { schedulesOf, type ReportSchedules } from "./schedules.ts";
import { callbackAuthorizer, credentialsAuthorizer, type Credentials } from "./transport/authorizer.ts";
import type { Pacing } from "./transport/pacing.ts";
import { createTransport, type Wire } from "./transport/send.ts";
import { webhooksOf, type Webhooks } from "./webhooks.ts";
import type { Caller } from "./wire/generated/caller.ts";
import type { Lane, Worker } from "./wire/generated/queue.ts";
import type { DomainQuery, ProxyQuery, ServedDomainQuery } from "./wire/generated/queries.ts";
import type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/generated/inventory.ts";

/** Where the gateway is and who calls. */
export type GatewayOptions = {
  /** With the path prefix of the gateway, where it has one. */
  readonly baseUrl: string | URL;
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch | undefined;
} & (
  | {
      /** Are exchanged for a token, which is renewed before it expires. */
      readonly credentials: Credentials;
      readonly token?: undefined;
    }
  | {
      /** Gives the bearer token of every request; is asked once more where it is refused. */
      readonly token: () => string | Promise<string>;
      readonly credentials?: undefined;
    }
);

/** The gateway. `Target` is what reports can be downloaded to. */
export interface GatewayOf<Target> {
  /** Who the caller is, and what they hold. */
  caller(options?: CallOptions): Promise<Caller>;
  readonly reports: Reports<Target>;
  readonly reportTypes: ReportTypes;
  readonly schedules: ReportSchedules;
  readonly webhooks: Webhooks;
  readonly proxies: Collection<Proxy, ProxyInput, ProxyQuery> & {
    /** The domains of one proxy. */
    domains(proxyId: string): Collection<Domain, DomainInput, DomainQuery>;
  };
  readonly domains: {
    /** The domains of all proxies. */
    list(query?: ServedDomainQuery, options?: CallOptions): List<Domain>;
  };
  /** The queue; for administrators of reports. docs/reference/resources/lanes-and-workers.md#endpoints. */
  readonly lanes: { list(options?: CallOptions): Promise<readonly Lane[]> };
  readonly workers: { list(options?: CallOptions): Promise<readonly Worker[]> };
}

/** Throws a TypeError if an option is wrong; sends nothing. */
export function composeGateway<Target>(
  options: GatewayOptions,
  platform: DownloadPlatform<Target>,
  pacing: Pacing,
): GatewayOf<Target> {
  const { token, credentials } = options;
  const wire: Wire = {
    baseUrl: readBaseUrl(options.baseUrl),
    // Looked up at every request, and called as a function: some platforms refuse any other `this`.
    fetch: options.fetch ?? (async (input, init) => globalThis.fetch(input, init)),
    pacing,
  };
  const authorizer = token === undefined ? credentialsAuthorizer(wire, credentials) : callbackAuthorizer(token);
  const transport = createTransport(wire, authorizer);
  const at = resourcesAt(transport);
  return {
    caller: async (callOptions) => (await at("callers").get<readonly [Caller]>(callOptions))[0],
    reports: createReports(transport, platform),
    reportTypes: reportTypesOf(transport),
    schedules: schedulesOf(transport),
    webhooks: webhooksOf(transport),
    proxies: {
      ...collectionOf<Proxy, ProxyInput, ProxyQuery>(transport, "proxies"),
      domains: (proxyId) => collectionOf<Domain, DomainInput, DomainQuery>(transport, "proxies", proxyId, "domains"),
    },
    domains: { list: at("domains").list },
    lanes: { list: at("lanes").get },
    workers: { list: at("workers").get },
  };
}

function readBaseUrl(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  // Without repeating it: it may hold a password.
  if (url === null || !/^https?:/.test(url.href) || url.href !== url.origin + url.pathname)
    throw new TypeError("baseUrl must be an http or https URL without credentials, query or fragment.");
  return url.href.replace(/(?<!\/)\/+$/, "");
}
