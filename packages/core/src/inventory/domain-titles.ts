import type { CertKeyType, DomainIssue, DomainStatus, Severity, TlsMinVersion, TlsMode } from "./domain.ts";

/** What the codes of a domain mean, for readers of pdf and xlsx. */
export const domainStatusTitles = {
  PENDING: "Pending",
  ACTIVE: "Active",
  SUSPENDED: "Suspended",
  FAILED: "Failed",
} as const satisfies Readonly<Record<DomainStatus, string>>;

export const tlsModeTitles = {
  NONE: "No TLS",
  ACME: "ACME",
  CUSTOM: "Custom",
  PASSTHROUGH: "Passthrough",
} as const satisfies Readonly<Record<TlsMode, string>>;

export const tlsMinVersionTitles = {
  "TLS1.0": "TLS 1.0",
  "TLS1.1": "TLS 1.1",
  "TLS1.2": "TLS 1.2",
  "TLS1.3": "TLS 1.3",
} as const satisfies Readonly<Record<TlsMinVersion, string>>;

export const certKeyTypeTitles = {
  RSA2048: "RSA 2048",
  RSA3072: "RSA 3072",
  RSA4096: "RSA 4096",
  "ECDSA-P256": "ECDSA P-256",
  "ECDSA-P384": "ECDSA P-384",
  "ECDSA-P521": "ECDSA P-521",
  ED25519: "Ed25519",
} as const satisfies Readonly<Record<CertKeyType, string>>;

export const severityTitles = {
  EXPIRED: "Expired",
  CRITICAL: "Critical",
  WARN: "Warning",
  OK: "OK",
} as const satisfies Readonly<Record<Severity, string>>;

export const domainIssueTitles = {
  CERT_EXPIRED: "Certificate expired",
  CERT_EXPIRING: "Certificate expiring",
  TLS_TOO_OLD: "TLS too old",
  PLAINTEXT_ONLY: "Plaintext only",
  HSTS_MISSING: "HSTS missing",
  PROXY_DISABLED: "Proxy disabled",
  PROXY_DOWN: "Proxy down",
} as const satisfies Readonly<Record<DomainIssue, string>>;
