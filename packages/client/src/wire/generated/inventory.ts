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
  /** ID of the proxy, which the service sets. */
  readonly id: string;
  /** Name of the proxy, unique among undeleted proxies. */
  readonly name: string;
  /** Notes for people; may have several lines. */
  readonly description: string;
  /** Team that runs the proxy. */
  readonly ownerTeam: string | null;
  /** E-mail address of the team that runs the proxy. */
  readonly contactEmail: string | null;
  /** Labels of your choice, each listed once. */
  readonly tags: readonly string[];
  readonly kind: ProxyKind;
  readonly software: ProxySoftware;
  /** Version of the software, as the software states it. */
  readonly softwareVersion: string | null;
  /** Address on which the proxy listens: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly address: string;
  /** Port on which the proxy listens. */
  readonly port: number;
  readonly protocol: ProxyProtocol;
  /** Location of the proxy, in the operators' own words. */
  readonly region: string | null;
  /** Country of the proxy, as an ISO 3166-1 alpha-2 code. */
  readonly countryCode: string | null;
  readonly environment: Environment;
  readonly adminState: AdminState;
  readonly health: Health;
  /** When a probe last checked the proxy; null before the first check. */
  readonly lastCheckedAt: string | null;
  /** 95th percentile of the proxy's latency in milliseconds, as a probe measured it. */
  readonly latencyMsP95: number | null;
  /** Highest number of concurrent connections; null if it is unknown. */
  readonly maxConnections: number | null;
  /** When the proxy was registered. */
  readonly createdAt: string;
  /** When the record last changed: its configuration or an observed field. */
  readonly updatedAt: string;
}

/** A proxy to create, or the replacement of one. Omitted fields take their defaults. */
export interface ProxyInput {
  /** Name of the proxy, unique among undeleted proxies. */
  readonly name: string;
  /** Notes for people; may have several lines. */
  readonly description?: string | undefined;
  /** Team that runs the proxy. */
  readonly ownerTeam?: string | null | undefined;
  /** E-mail address of the team that runs the proxy. */
  readonly contactEmail?: string | null | undefined;
  /** Labels of your choice, each listed once. */
  readonly tags?: readonly string[] | undefined;
  readonly kind: ProxyKind;
  readonly software?: ProxySoftware | undefined;
  /** Version of the software, as the software states it. */
  readonly softwareVersion?: string | null | undefined;
  /** Address on which the proxy listens: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly address: string;
  /** Port on which the proxy listens. */
  readonly port: number;
  readonly protocol: ProxyProtocol;
  /** Location of the proxy, in the operators' own words. */
  readonly region?: string | null | undefined;
  /** Country of the proxy, as an ISO 3166-1 alpha-2 code. */
  readonly countryCode?: string | null | undefined;
  readonly environment?: Environment | undefined;
  readonly adminState?: AdminState | undefined;
  readonly health?: Health | undefined;
  /** When a probe last checked the proxy; null before the first check. */
  readonly lastCheckedAt?: string | null | undefined;
  /** 95th percentile of the proxy's latency in milliseconds, as a probe measured it. */
  readonly latencyMsP95?: number | null | undefined;
  /** Highest number of concurrent connections; null if it is unknown. */
  readonly maxConnections?: number | null | undefined;
  /** ID of the proxy, which the service sets. */
  readonly id?: string | undefined;
  /** When the proxy was registered. */
  readonly createdAt?: string | undefined;
  /** When the record last changed: its configuration or an observed field. */
  readonly updatedAt?: string | undefined;
}

/** One domain that a proxy serves. */
export interface Domain {
  /** ID of the domain, which the service sets. */
  readonly id: string;
  /** The proxy that serves the domain. */
  readonly proxyId: string;
  /** Host name in Unicode. It can begin with a wildcard, as in *.example.org. */
  readonly hostname: string;
  /** Host name in A-label form, which the service makes from hostname. */
  readonly hostnameAscii: string;
  /** Beginning of the paths that the domain covers. */
  readonly pathPrefix: string;
  readonly status: DomainStatus;
  readonly upstreamScheme: UpstreamScheme;
  /** Host to which the proxy sends requests: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly upstreamHost: string;
  /** Port to which the proxy sends requests. */
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
  /** Whether Strict-Transport-Security is sent. It can be true only if httpsForced is true. */
  readonly hstsEnabled: boolean;
  /** Whether clients can use HTTP/2. */
  readonly http2Enabled: boolean;
  /** Number of requests in the last 24 hours, as a probe counted them. */
  readonly requests24h: number | null;
  /** Number of bytes sent to clients in the last 24 hours, as a probe counted them. */
  readonly bytesOut24h: number | null;
  /** Share of the requests in the last 24 hours that got a 5xx status, from 0 to 1. */
  readonly errorRate5xx24h: number | null;
  /** When a probe last checked the domain; null before the first check. */
  readonly lastCheckedAt: string | null;
  /** When the domain was registered. */
  readonly createdAt: string;
  /** When the record last changed: its configuration or an observed field. */
  readonly updatedAt: string;
}

/** A domain to create, or the replacement of one. Omitted fields take their defaults. */
export interface DomainInput {
  /** A body can give the Unicode or the A-label form. */
  readonly hostname: string;
  readonly upstreamScheme: UpstreamScheme;
  /** Host to which the proxy sends requests: a host name in A-label form, an IPv4 or an IPv6 address. */
  readonly upstreamHost: string;
  /** Port to which the proxy sends requests. */
  readonly upstreamPort: number;
  readonly tlsMode: TlsMode;
  /** Beginning of the paths that the domain covers. */
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
  /** Whether Strict-Transport-Security is sent. It can be true only if httpsForced is true. */
  readonly hstsEnabled?: boolean | undefined;
  /** Whether clients can use HTTP/2. */
  readonly http2Enabled?: boolean | undefined;
  /** Number of requests in the last 24 hours, as a probe counted them. */
  readonly requests24h?: number | null | undefined;
  /** Number of bytes sent to clients in the last 24 hours, as a probe counted them. */
  readonly bytesOut24h?: number | null | undefined;
  /** Share of the requests in the last 24 hours that got a 5xx status, from 0 to 1. */
  readonly errorRate5xx24h?: number | null | undefined;
  /** When a probe last checked the domain; null before the first check. */
  readonly lastCheckedAt?: string | null | undefined;
  /** ID of the domain, which the service sets. */
  readonly id?: string | undefined;
  /** The proxy that serves the domain. */
  readonly proxyId?: string | undefined;
  /** Host name in A-label form, which the service makes from hostname. */
  readonly hostnameAscii?: string | undefined;
  /** When the domain was registered. */
  readonly createdAt?: string | undefined;
  /** When the record last changed: its configuration or an observed field. */
  readonly updatedAt?: string | undefined;
}
