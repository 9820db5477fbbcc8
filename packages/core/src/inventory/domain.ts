/** Where a domain stands in its life. */
export const domainStatuses = ["PENDING", "ACTIVE", "SUSPENDED", "FAILED"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** What the proxy speaks to the upstream. */
export const upstreamSchemes = ["HTTP", "HTTPS", "H2C", "TCP"] as const;
export type UpstreamScheme = (typeof upstreamSchemes)[number];

/** Who ends TLS and with whose certificate: nobody, the proxy by ACME, the proxy with one that was brought, the upstream. */
export const tlsModes = ["NONE", "ACME", "CUSTOM", "PASSTHROUGH"] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Oldest first. */
export const tlsMinVersions = ["TLS1.0", "TLS1.1", "TLS1.2", "TLS1.3"] as const;
export type TlsMinVersion = (typeof tlsMinVersions)[number];

export const certKeyTypes = [
  "RSA2048",
  "RSA3072",
  "RSA4096",
  "ECDSA-P256",
  "ECDSA-P384",
  "ECDSA-P521",
  "ED25519",
] as const;
export type CertKeyType = (typeof certKeyTypes)[number];

/** How soon a certificate runs out, worst first. */
export const severities = ["EXPIRED", "CRITICAL", "WARN", "OK"] as const;
export type Severity = (typeof severities)[number];

/** What is wrong with a domain, in the order in which the list of a domain shows it. */
export const domainIssues = [
  "CERT_EXPIRED",
  "CERT_EXPIRING",
  "TLS_TOO_OLD",
  "PLAINTEXT_ONLY",
  "HSTS_MISSING",
  "PROXY_DISABLED",
  "PROXY_DOWN",
] as const;
export type DomainIssue = (typeof domainIssues)[number];

/**
 * One domain that a proxy serves. docs/contract.md §1.4.
 * Required at creation are `hostname`, `upstreamScheme`, `upstreamHost`, `upstreamPort` and `tlsMode`; the default of every other field stands beside it.
 * The five `cert…` fields are set exactly when `tlsMode` is ACME or CUSTOM, and null otherwise.
 */
export interface Domain {
  /** UUIDv7; the server's. */
  readonly id: string;
  readonly proxyId: string;
  /** Unicode form, lower case, without a trailing dot, perhaps with one leading `*.`. */
  readonly hostname: string;
  /** A-label form, at most 253 octets (the wildcard included); made from `hostname`. Unique with `pathPrefix` within the proxy, among the living. */
  readonly hostnameAscii: string;
  /** Begins with `/`; at most 255 characters. Default: `/`. */
  readonly pathPrefix: string;
  /** Default: PENDING. */
  readonly status: DomainStatus;
  readonly upstreamScheme: UpstreamScheme;
  /** Host name in its A-label form (one label is enough), IPv4 or IPv6. */
  readonly upstreamHost: string;
  /** 1-65535. */
  readonly upstreamPort: number;
  readonly tlsMode: TlsMode;
  /** Default: TLS1.2 where the proxy ends TLS (ACME, CUSTOM), else null. */
  readonly tlsMinVersion: TlsMinVersion | null;
  /** At most 200 characters. */
  readonly certIssuer: string | null;
  readonly certKeyType: CertKeyType | null;
  readonly certNotBefore: Date | null;
  /** After `certNotBefore`. */
  readonly certNotAfter: Date | null;
  /** 64 lower-case hexadecimal digits. */
  readonly certFingerprintSha256: string | null;
  /** Default: false. */
  readonly httpsForced: boolean;
  /** Needs `httpsForced`. Default: false. */
  readonly hstsEnabled: boolean;
  /** Default: false. */
  readonly http2Enabled: boolean;
  /** 0 to 2^53-1. Default: null, not observed yet. */
  readonly requests24h: number | null;
  /** 0 to 2^53-1. Default: null. */
  readonly bytesOut24h: number | null;
  /** 0-1, six decimal places. Default: null. */
  readonly errorRate5xx24h: number | null;
  /** When a probe looked last. Default: null. */
  readonly lastCheckedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
