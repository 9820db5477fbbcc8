export {
  domainFieldDefaults,
  domainInputSchema,
  domainInputRules,
  domainCsvCellReader,
  type Domain,
  type DomainInput,
} from "./inventory/domain-record.ts";
export {
  certKeyTypes,
  domainIssues,
  domainStatuses,
  severities,
  tlsMinVersions,
  tlsModes,
  upstreamSchemes,
  type CertKeyType,
  type DomainIssue,
  type DomainStatus,
  type Severity,
  type TlsMinVersion,
  type TlsMode,
  type UpstreamScheme,
} from "./inventory/domain.ts";
export { domainsCollection } from "./inventory/domains-collection.ts";
export { proxiesCollection } from "./inventory/proxies-collection.ts";
export {
  proxyFieldDefaults,
  proxyInputSchema,
  proxyInputRules,
  proxyCsvCellReader,
  type Proxy,
  type ProxyInput,
} from "./inventory/proxy-record.ts";
export {
  adminStates,
  environments,
  healths,
  proxyKinds,
  proxyProtocols,
  proxySoftwares,
  type Health,
  type ProxyKind,
  type ProxyProtocol,
  type ProxySoftware,
} from "./inventory/proxy.ts";
export { severityThresholds } from "./inventory/severity-thresholds.ts";
