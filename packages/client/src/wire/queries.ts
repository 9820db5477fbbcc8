import type { ReportFormat, ReportStatus, ScheduleStatus } from "./enumerations.ts";
import type { ReportScheduleFire } from "./report-schedule.ts";
import type { Domain, Proxy } from "./register.ts";

/** One value, or several of which any may match. */
type AnyOf<Value> = Value | readonly Value[] | undefined;

/** What every list takes beside its filters. docs/contract.md §6.2. */
export interface ListQuery {
  /** Up to five fields, `-` in front for descending. */
  readonly sort?: readonly string[] | undefined;
  /** Records of a page, 1–200; 50 by default. All pages are read in any case. */
  readonly limit?: number | undefined;
  /** Makes the pages say how many records there are. */
  readonly count?: "exact" | undefined;
  /** IANA time zone in which relative times are meant; UTC by default. */
  readonly timezone?: string | undefined;
  /** RFC 3339 or relative (`today-P1D`), inclusive. */
  readonly createdFrom?: string | undefined;
  /** RFC 3339 or relative, exclusive. */
  readonly createdTo?: string | undefined;
}

/** What a list of reports is asked for. docs/contract.md §4.4. */
export interface ReportQuery extends ListQuery {
  readonly reportType?: AnyOf<string>;
  readonly status?: AnyOf<ReportStatus>;
  readonly format?: AnyOf<ReportFormat>;
  /** A principal, or `me`. */
  readonly requestedBy?: AnyOf<string>;
  readonly scheduleId?: AnyOf<string>;
}

/** What a list of schedules is asked for. docs/contract.md §10.2. */
export interface ReportScheduleQuery extends ListQuery {
  readonly reportType?: AnyOf<string>;
  readonly status?: AnyOf<ScheduleStatus>;
  /** A principal, or `me`. */
  readonly owner?: AnyOf<string>;
  /** Characters that the name contains. */
  readonly q?: string | undefined;
}

/** What a list of fires is asked for. docs/contract.md §10.3. */
export interface ReportScheduleFireQuery extends Omit<ListQuery, "createdFrom" | "createdTo"> {
  readonly outcome?: AnyOf<ReportScheduleFire["outcome"]>;
  readonly scheduledFrom?: string | undefined;
  readonly scheduledTo?: string | undefined;
}

/** What a list of proxies is asked for. docs/contract.md §1.6. */
export interface ProxyQuery extends ListQuery {
  /** Characters that name or description contain. */
  readonly q?: string | undefined;
  readonly name?: AnyOf<string>;
  readonly kind?: AnyOf<Proxy["kind"]>;
  readonly software?: AnyOf<Proxy["software"]>;
  readonly region?: AnyOf<string>;
  readonly countryCode?: AnyOf<string>;
  readonly environment?: AnyOf<Proxy["environment"]>;
  readonly adminState?: AnyOf<Proxy["adminState"]>;
  readonly health?: AnyOf<Proxy["health"]>;
  readonly ownerTeam?: AnyOf<string>;
  readonly tag?: AnyOf<string>;
  readonly port?: AnyOf<number>;
}

/** What a list of a proxy's domains is asked for. docs/contract.md §1.6. */
export interface DomainQuery extends ListQuery {
  readonly q?: string | undefined;
  readonly hostname?: AnyOf<string>;
  readonly hostnameSuffix?: AnyOf<string>;
  readonly status?: AnyOf<Domain["status"]>;
  readonly tlsMode?: AnyOf<Domain["tlsMode"]>;
  readonly tlsMinVersion?: AnyOf<NonNullable<Domain["tlsMinVersion"]>>;
  readonly certIssuer?: AnyOf<string>;
  /** `EXPIRED`, `CRITICAL`, `WARN`, `OK`: docs/contract.md §1.5. */
  readonly severity?: AnyOf<string>;
  readonly issue?: AnyOf<string>;
  readonly httpsForced?: AnyOf<boolean>;
  readonly hstsEnabled?: AnyOf<boolean>;
  readonly upstreamHost?: AnyOf<string>;
  readonly upstreamPort?: AnyOf<number>;
  readonly certNotAfterFrom?: string | undefined;
  readonly certNotAfterTo?: string | undefined;
}

/** Domains of all proxies. */
export interface ServedDomainQuery extends DomainQuery {
  /** A host name; finds the domains that serve it, wildcards included. */
  readonly servesHost?: AnyOf<string>;
  readonly proxyId?: AnyOf<string>;
  readonly proxyName?: AnyOf<string>;
  readonly proxyRegion?: AnyOf<string>;
  readonly proxyEnvironment?: AnyOf<Proxy["environment"]>;
  readonly proxyOwnerTeam?: AnyOf<string>;
}
