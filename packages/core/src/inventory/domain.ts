import { keysOf } from "../base/keys-of.ts";
import { describeSeverityThreshold } from "./severity-thresholds.ts";

// Allowed values of a domain's fields. Files in pdf and xlsx show a value by its title, and explain the title by its meaning.

export const domainStatusTitles = {
  PENDING: "Pending",
  ACTIVE: "Active",
  SUSPENDED: "Suspended",
  FAILED: "Failed",
} as const;
export const domainStatuses = keysOf(domainStatusTitles);
export type DomainStatus = (typeof domainStatuses)[number];

export const upstreamSchemes = ["HTTP", "HTTPS", "H2C", "TCP"] as const;
export type UpstreamScheme = (typeof upstreamSchemes)[number];

export const tlsModeTitles = { NONE: "No TLS", ACME: "ACME", CUSTOM: "Custom", PASSTHROUGH: "Passthrough" } as const;
export const tlsModes = keysOf(tlsModeTitles);
export const tlsModeMeanings = {
  NONE: "TLS is not used.",
  ACME: "TLS ends at the proxy, with a certificate from ACME.",
  CUSTOM: "TLS ends at the proxy, with a certificate that does not come from ACME.",
  PASSTHROUGH: "TLS ends at the upstream.",
} as const satisfies Readonly<Record<TlsMode, string>>;
export type TlsMode = (typeof tlsModes)[number];

export const tlsMinVersionTitles = {
  "TLS1.0": "TLS 1.0",
  "TLS1.1": "TLS 1.1",
  "TLS1.2": "TLS 1.2",
  "TLS1.3": "TLS 1.3",
} as const;
export const tlsMinVersions = keysOf(tlsMinVersionTitles);
export type TlsMinVersion = (typeof tlsMinVersions)[number];

export const certKeyTypeTitles = {
  RSA2048: "RSA 2048",
  RSA3072: "RSA 3072",
  RSA4096: "RSA 4096",
  "ECDSA-P256": "ECDSA P-256",
  "ECDSA-P384": "ECDSA P-384",
  "ECDSA-P521": "ECDSA P-521",
  ED25519: "Ed25519",
} as const;
export const certKeyTypes = keysOf(certKeyTypeTitles);
export type CertKeyType = (typeof certKeyTypes)[number];

export const severityTitles = { EXPIRED: "Expired", CRITICAL: "Critical", WARN: "Expiring soon", OK: "OK" } as const;
export const severities = keysOf(severityTitles);
export type Severity = (typeof severities)[number];
export const severityMeanings = {
  EXPIRED: "The certificate has expired.",
  CRITICAL: `${describeSeverityThreshold("CRITICAL")}.`,
  WARN: `${describeSeverityThreshold("WARN")}, but the certificate is not critical.`,
  OK: "More time remains.",
} as const satisfies Readonly<Record<Severity, string>>;

export const domainIssueTitles = {
  CERT_EXPIRED: "Certificate expired",
  CERT_EXPIRING: "Certificate expiring",
  TLS_TOO_OLD: "TLS too old",
  PLAINTEXT_ONLY: "Plaintext only",
  HSTS_MISSING: "HSTS missing",
  PROXY_DISABLED: "Proxy disabled",
  PROXY_DOWN: "Proxy down",
} as const;
export const domainIssues = keysOf(domainIssueTitles);
export type DomainIssue = (typeof domainIssues)[number];
export const domainIssueMeanings = {
  CERT_EXPIRED: "The certificate has expired.",
  CERT_EXPIRING: `The severity is “${severityTitles.CRITICAL}” or “${severityTitles.WARN}”.`,
  TLS_TOO_OLD: "The proxy accepts TLS versions below 1.2 for the domain.",
  PLAINTEXT_ONLY: tlsModeMeanings.NONE,
  HSTS_MISSING: "TLS ends at the proxy, and Strict-Transport-Security is not sent.",
  PROXY_DISABLED: "The operators have disabled the proxy.",
  PROXY_DOWN: "The latest probe found that the proxy is down.",
} as const satisfies Readonly<Record<DomainIssue, string>>;
