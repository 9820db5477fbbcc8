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
