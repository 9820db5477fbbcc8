// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type {
  AdminState,
  CertKeyType,
  DomainStatus,
  Environment,
  Health,
  ProxyKind,
  ProxyProtocol,
  ProxySoftware,
  TlsMinVersion,
  TlsMode,
  UpstreamScheme,
} from "./enumerations.ts";

/** One proxy of the inventory. */
export interface Proxy {
  /** Id of the proxy; set by the server. */
  readonly id: string;
  /** Name; unique among undeleted proxies. */
  readonly name: string;
  /** Notes for people; may have several lines. */
  readonly description: string;
  /** The team that runs it. */
  readonly ownerTeam: string | null;
  /** The e-mail address of those who run it. */
  readonly contactEmail: string | null;
  /** Free labels, each once. */
  readonly tags: readonly string[];
  readonly kind: ProxyKind;
  readonly software: ProxySoftware;
  /** The version of the software, as it calls itself. */
  readonly softwareVersion: string | null;
  /** Where it listens: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly address: string;
  /** The port on which it listens. */
  readonly port: number;
  readonly protocol: ProxyProtocol;
  /** Where it is, in the operators' own words. */
  readonly region: string | null;
  /** The country where it is, as an ISO 3166-1 alpha-2 code. */
  readonly countryCode: string | null;
  readonly environment: Environment;
  readonly adminState: AdminState;
  readonly health: Health;
  /** When a probe last looked at it; null before the first time. */
  readonly lastCheckedAt: string | null;
  /** 95th percentile of its latency in milliseconds, as probes measured it. */
  readonly latencyMsP95: number | null;
  /** Greatest number of concurrent connections; null if it is not known. */
  readonly maxConnections: number | null;
  /** When it was registered. */
  readonly createdAt: string;
  /** When its configuration or an observed field last changed. */
  readonly updatedAt: string;
}

/** A proxy to create, or to replace one with. Fields that are left out take their defaults. */
export interface ProxyInput {
  /** Name; unique among undeleted proxies. */
  readonly name: string;
  /** Notes for people; may have several lines. */
  readonly description?: string | undefined;
  /** The team that runs it. */
  readonly ownerTeam?: string | null | undefined;
  /** The e-mail address of those who run it. */
  readonly contactEmail?: string | null | undefined;
  /** Free labels, each once. */
  readonly tags?: readonly string[] | undefined;
  readonly kind: ProxyKind;
  readonly software?: ProxySoftware | undefined;
  /** The version of the software, as it calls itself. */
  readonly softwareVersion?: string | null | undefined;
  /** Where it listens: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly address: string;
  /** The port on which it listens. */
  readonly port: number;
  readonly protocol: ProxyProtocol;
  /** Where it is, in the operators' own words. */
  readonly region?: string | null | undefined;
  /** The country where it is, as an ISO 3166-1 alpha-2 code. */
  readonly countryCode?: string | null | undefined;
  readonly environment?: Environment | undefined;
  readonly adminState?: AdminState | undefined;
  readonly health?: Health | undefined;
  /** When a probe last looked at it; null before the first time. */
  readonly lastCheckedAt?: string | null | undefined;
  /** 95th percentile of its latency in milliseconds, as probes measured it. */
  readonly latencyMsP95?: number | null | undefined;
  /** Greatest number of concurrent connections; null if it is not known. */
  readonly maxConnections?: number | null | undefined;
  /** Id of the proxy; set by the server. */
  readonly id?: string | undefined;
  /** When it was registered. */
  readonly createdAt?: string | undefined;
  /** When its configuration or an observed field last changed. */
  readonly updatedAt?: string | undefined;
}

/** One domain that a proxy serves. */
export interface Domain {
  /** Id of the domain; set by the server. */
  readonly id: string;
  /** The proxy that serves it. */
  readonly proxyId: string;
  /** The host name in Unicode; may begin with the wildcard *. */
  readonly hostname: string;
  /** The host name in A-label form; made from hostname. */
  readonly hostnameAscii: string;
  /** The paths that it serves begin with this. */
  readonly pathPrefix: string;
  readonly status: DomainStatus;
  readonly upstreamScheme: UpstreamScheme;
  /** Where requests go to: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly upstreamHost: string;
  /** The port to which requests go. */
  readonly upstreamPort: number;
  readonly tlsMode: TlsMode;
  readonly tlsMinVersion: TlsMinVersion | null;
  /** Issuer of the certificate. */
  readonly certIssuer: string | null;
  readonly certKeyType: CertKeyType | null;
  /** When the certificate becomes valid. */
  readonly certNotBefore: string | null;
  /** When the certificate expires. */
  readonly certNotAfter: string | null;
  /** SHA-256 of the certificate, as 64 hexadecimal digits. */
  readonly certFingerprintSha256: string | null;
  /** Whether plain HTTP is redirected to HTTPS. */
  readonly httpsForced: boolean;
  /** Whether Strict-Transport-Security is sent; needs httpsForced. */
  readonly hstsEnabled: boolean;
  /** Whether clients may speak HTTP/2. */
  readonly http2Enabled: boolean;
  /** Requests in the last 24 hours, as a probe counted them. */
  readonly requests24h: number | null;
  /** Bytes sent to clients in the last 24 hours. */
  readonly bytesOut24h: number | null;
  /** Share of the requests of the last 24 hours that were answered with 5xx, from 0 to 1. */
  readonly errorRate5xx24h: number | null;
  /** When a probe last looked at it; null before the first time. */
  readonly lastCheckedAt: string | null;
  /** When it was registered. */
  readonly createdAt: string;
  /** When its configuration or an observed field last changed. */
  readonly updatedAt: string;
}

/** A domain to create, or to replace one with. Fields that are left out take their defaults. */
export interface DomainInput {
  /** Unicode or A-label form; one leading *. is allowed. */
  readonly hostname: string;
  readonly upstreamScheme: UpstreamScheme;
  /** Where requests go to: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly upstreamHost: string;
  /** The port to which requests go. */
  readonly upstreamPort: number;
  readonly tlsMode: TlsMode;
  /** The paths that it serves begin with this. */
  readonly pathPrefix?: string | undefined;
  readonly status?: DomainStatus | undefined;
  readonly tlsMinVersion?: TlsMinVersion | null | undefined;
  /** Issuer of the certificate. */
  readonly certIssuer?: string | null | undefined;
  readonly certKeyType?: CertKeyType | null | undefined;
  /** When the certificate becomes valid. */
  readonly certNotBefore?: string | null | undefined;
  /** When the certificate expires. */
  readonly certNotAfter?: string | null | undefined;
  /** SHA-256 of the certificate, as 64 hexadecimal digits. */
  readonly certFingerprintSha256?: string | null | undefined;
  /** Whether plain HTTP is redirected to HTTPS. */
  readonly httpsForced?: boolean | undefined;
  /** Whether Strict-Transport-Security is sent; needs httpsForced. */
  readonly hstsEnabled?: boolean | undefined;
  /** Whether clients may speak HTTP/2. */
  readonly http2Enabled?: boolean | undefined;
  /** Requests in the last 24 hours, as a probe counted them. */
  readonly requests24h?: number | null | undefined;
  /** Bytes sent to clients in the last 24 hours. */
  readonly bytesOut24h?: number | null | undefined;
  /** Share of the requests of the last 24 hours that were answered with 5xx, from 0 to 1. */
  readonly errorRate5xx24h?: number | null | undefined;
  /** When a probe last looked at it; null before the first time. */
  readonly lastCheckedAt?: string | null | undefined;
  /** Id of the domain; set by the server. */
  readonly id?: string | undefined;
  /** The proxy that serves it. */
  readonly proxyId?: string | undefined;
  /** The host name in A-label form; made from hostname. */
  readonly hostnameAscii?: string | undefined;
  /** When it was registered. */
  readonly createdAt?: string | undefined;
  /** When its configuration or an observed field last changed. */
  readonly updatedAt?: string | undefined;
}
