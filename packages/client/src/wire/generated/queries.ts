// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ListQuery } from "../list-query.ts";
import type {
  AdminState,
  DeliveryStatus,
  DomainStatus,
  Environment,
  FireOutcome,
  Health,
  ProxyKind,
  ProxySoftware,
  ReportFormat,
  ReportStatus,
  ScheduleStatus,
  TlsMinVersion,
  TlsMode,
  WebhookStatus,
} from "./enumerations.ts";

/** Query parameters of a list of reports. */
export interface ReportQuery extends ListQuery {
  /** Text that the title contains, in any case. */
  readonly q?: string | undefined;
  /** Report types. */
  readonly reportType?: string | readonly string[] | undefined;
  /** States. */
  readonly status?: ReportStatus | readonly ReportStatus[] | undefined;
  /** Formats of the file. */
  readonly format?: ReportFormat | readonly ReportFormat[] | undefined;
  /** The principal that started the report. */
  readonly requestedBy?: string | readonly string[] | undefined;
  /** The schedules that started the reports. */
  readonly scheduleId?: string | readonly string[] | undefined;
}

/** Query parameters of a list of schedules. */
export interface ReportScheduleQuery extends ListQuery {
  /** Report types. */
  readonly reportType?: string | readonly string[] | undefined;
  /** States. */
  readonly status?: ScheduleStatus | readonly ScheduleStatus[] | undefined;
  /** Owners of the schedules; `me` is the caller. */
  readonly owner?: string | readonly string[] | undefined;
  /** Text that the name contains. */
  readonly q?: string | undefined;
}

/** Query parameters of a list of the runs of a schedule. */
export interface ReportScheduleFireQuery extends Omit<ListQuery, "createdFrom" | "createdTo"> {
  /** Outcomes of the runs. */
  readonly outcome?: FireOutcome | readonly FireOutcome[] | undefined;
  /** Due at this time or later. */
  readonly scheduledFrom?: string | undefined;
  /** Due before this time. */
  readonly scheduledTo?: string | undefined;
}

/** Query parameters of a list of webhooks. */
export interface WebhookQuery extends ListQuery {
  /** States. */
  readonly status?: WebhookStatus | readonly WebhookStatus[] | undefined;
}

/** Query parameters of a list of the deliveries of a webhook. */
export interface DeliveryQuery extends ListQuery {
  /** States. */
  readonly status?: DeliveryStatus | readonly DeliveryStatus[] | undefined;
}

/** Query parameters of a list of proxies. */
export interface ProxyQuery extends ListQuery {
  /** Text that the name or the description contains, in any case. */
  readonly q?: string | undefined;
  /** Names of proxies. */
  readonly name?: string | readonly string[] | undefined;
  /** Kinds of proxies. */
  readonly kind?: ProxyKind | readonly ProxyKind[] | undefined;
  /** Software that the proxy runs. */
  readonly software?: ProxySoftware | readonly ProxySoftware[] | undefined;
  /** Regions. */
  readonly region?: string | readonly string[] | undefined;
  /** Countries, as ISO 3166-1 alpha-2 codes in upper case. */
  readonly countryCode?: string | readonly string[] | undefined;
  /** Environments. */
  readonly environment?: Environment | readonly Environment[] | undefined;
  /** State that the operators set for the proxy. */
  readonly adminState?: AdminState | readonly AdminState[] | undefined;
  /** Result of the latest probe. */
  readonly health?: Health | readonly Health[] | undefined;
  /** Owning teams. */
  readonly ownerTeam?: string | readonly string[] | undefined;
  /** Tags. A proxy matches if it has any of them. */
  readonly tag?: string | readonly string[] | undefined;
  /** Ports. */
  readonly port?: number | readonly number[] | undefined;
}

/** Query parameters of a list of the domains of a proxy. */
export interface DomainQuery extends ListQuery {
  /** Text that the host name contains, in either form and in any case. */
  readonly q?: string | undefined;
  /** Exact host names, in Unicode or A-label form. */
  readonly hostname?: string | readonly string[] | undefined;
  /** Host names, each with all names below it: `example.org` finds `example.org` and `a.example.org`. */
  readonly hostnameSuffix?: string | readonly string[] | undefined;
  /** States. */
  readonly status?: DomainStatus | readonly DomainStatus[] | undefined;
  /** TLS modes. */
  readonly tlsMode?: TlsMode | readonly TlsMode[] | undefined;
  /** Lowest TLS versions that are accepted. */
  readonly tlsMinVersion?: TlsMinVersion | readonly TlsMinVersion[] | undefined;
  /** Issuers of the certificate. */
  readonly certIssuer?: string | readonly string[] | undefined;
  /** How soon the certificate expires. */
  readonly severity?: string | readonly string[] | undefined;
  /** Issues. A domain matches if it has any of them. */
  readonly issue?: string | readonly string[] | undefined;
  /** Whether HTTPS is forced. */
  readonly httpsForced?: boolean | readonly boolean[] | undefined;
  /** Whether HSTS is sent. */
  readonly hstsEnabled?: boolean | readonly boolean[] | undefined;
  /** Hosts to which the proxy sends requests. */
  readonly upstreamHost?: string | readonly string[] | undefined;
  /** Ports to which the proxy sends requests. */
  readonly upstreamPort?: number | readonly number[] | undefined;
  /** The certificate expires at this time (RFC 3339) or later. */
  readonly certNotAfterFrom?: string | undefined;
  /** The certificate expires before this time (RFC 3339). */
  readonly certNotAfterTo?: string | undefined;
}

/** Query parameters of a list of the domains of all proxies. */
export interface ServedDomainQuery extends DomainQuery {
  /** Host names. A domain matches if it has this name, or the wildcard that covers it. */
  readonly servesHost?: string | readonly string[] | undefined;
  /** IDs of the proxies. */
  readonly proxyId?: string | readonly string[] | undefined;
  /** Names of the proxies. */
  readonly proxyName?: string | readonly string[] | undefined;
  /** Regions of the proxies. */
  readonly proxyRegion?: string | readonly string[] | undefined;
  /** Environments of the proxies. */
  readonly proxyEnvironment?: Environment | readonly Environment[] | undefined;
  /** Teams that own the proxies. */
  readonly proxyOwnerTeam?: string | readonly string[] | undefined;
}
