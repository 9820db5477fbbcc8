import type { CallOptions } from "./call-options.ts";
import { createCollectionMethods, type Collection } from "./collection.ts";
import type { DownloadPlatform } from "./download-file.ts";
import type { List } from "./list.ts";
import { createReportTypeMethods, type ReportTypes } from "./report-types.ts";
import { createReportMethods, type Reports } from "./reports.ts";
import { createReportRecordMethods, type ReportRecords } from "./report-records.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import { createScheduleMethods, type ReportSchedules } from "./schedules.ts";
import { createCallbackAuthorizer, createCredentialsAuthorizer, type Credentials } from "./transport/authorizer.ts";
import type { ClientTiming } from "./transport/client-timing.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport/send.ts";
import { createWebhookMethods, type Webhooks } from "./webhooks.ts";
import type { Caller } from "./wire/generated/caller.ts";
import type { Lane, Worker } from "./wire/generated/queue.ts";
import type { DomainQuery, ProxyQuery, ServedDomainQuery } from "./wire/generated/queries.ts";
import type { Domain, DomainInput, Proxy, ProxyInput } from "./wire/generated/inventory.ts";

/** The URL of the gateway and the credentials of the caller. */
export type GatewayOptions = {
  /** The URL of the gateway, with its path prefix if it has one. */
  readonly baseUrl: string | URL;
  /** The function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
} & (
  | {
      /** The client exchanges the credentials for a token and renews the token before it expires. */
      readonly credentials: Credentials;
      readonly token?: undefined;
    }
  | {
      /** Returns the bearer token. The client calls it for every request, and once more if the gateway answers 401. */
      readonly token: () => string | Promise<string>;
      readonly credentials?: undefined;
    }
);

/**
 * The methods of the client without downloads. `Types` is the type of the default export of a package of report types, from which the types of
 * requests follow.
 */
export interface RecordGateway<Types = unknown> {
  /** Returns the principal of the caller and its authorities. */
  caller(options?: CallOptions): Promise<Caller>;
  readonly reports: ReportRecords<Types>;
  readonly reportTypes: ReportTypes<Types>;
  readonly schedules: ReportSchedules<Types>;
  readonly webhooks: Webhooks;
  readonly proxies: Collection<Proxy, ProxyInput, ProxyQuery> & {
    /** Returns the methods that read and write the domains of one proxy. */
    domains(proxyId: string): Collection<Domain, DomainInput, DomainQuery>;
  };
  readonly domains: {
    /** Lists the domains of all proxies. */
    list(query?: ServedDomainQuery, options?: CallOptions): List<Domain>;
  };
  /** Lists the lanes of the queue, for administrators of reports. docs/reference/resources/lanes-and-workers.md#endpoints. */
  readonly lanes: { list(options?: CallOptions): Promise<readonly Lane[]> };
  readonly workers: { list(options?: CallOptions): Promise<readonly Worker[]> };
}

/** The methods of the client. `Target` is the type of a download destination. */
export interface GatewayOf<Target, Types = unknown> extends RecordGateway<Types> {
  readonly reports: Reports<Target, Types>;
}

/** Creates the client. Throws a TypeError if an option is invalid. Sends no request. */
export function composeGateway<Target>(
  options: GatewayOptions,
  platform: DownloadPlatform<Target>,
  pacing: ClientTiming,
): GatewayOf<Target> {
  const transport = createGatewayTransport(options, pacing);
  return { ...createRecordMethods(transport), reports: createReportMethods(transport, platform) };
}

/** Returns the transport of a client. It calls `onToken` with every token that it gets for credentials. Throws a TypeError if an option is invalid. */
export function createGatewayTransport(
  options: GatewayOptions,
  pacing: ClientTiming,
  onToken?: (token: string) => void,
): Transport {
  const { token, credentials } = options;
  const wire: TransportOptions = {
    baseUrl: readBaseUrl(options.baseUrl),
    // The global `fetch` is looked up at every request, because a test or a library may replace it. It is called as a plain function, because
    // some platforms reject another `this`.
    fetch: options.fetch ?? (async (input, init) => globalThis.fetch(input, init)),
    pacing,
  };
  const authorizer =
    token === undefined ? createCredentialsAuthorizer(wire, credentials, onToken) : createCallbackAuthorizer(token);
  return createTransport(wire, authorizer);
}

export function createRecordMethods(transport: Transport): RecordGateway {
  const at = createResourceClientFactory(transport);
  return {
    caller: async (callOptions) => (await at("callers").get<readonly [Caller]>(callOptions))[0],
    reports: createReportRecordMethods(transport),
    reportTypes: createReportTypeMethods(transport),
    schedules: createScheduleMethods(transport),
    webhooks: createWebhookMethods(transport),
    proxies: {
      ...createCollectionMethods<Proxy, ProxyInput, ProxyQuery>(transport, "proxies"),
      domains: (proxyId) =>
        createCollectionMethods<Domain, DomainInput, DomainQuery>(transport, "proxies", proxyId, "domains"),
    },
    domains: { list: at("domains").list },
    lanes: { list: at("lanes").get },
    workers: { list: at("workers").get },
  };
}

function readBaseUrl(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  // The message does not contain the invalid URL, because the URL may contain a password.
  if (url === null || !/^https?:/.test(url.href) || url.href !== url.origin + url.pathname)
    throw new TypeError("baseUrl must be an http or https URL without credentials, query or fragment.");
  return url.href.replace(/(?<!\/)\/+$/, "");
}
