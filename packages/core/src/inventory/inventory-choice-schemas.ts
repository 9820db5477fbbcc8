import { createChoiceFieldFactory, createNamedChoiceSchemas } from "../record/choice-field.ts";
import {
  certKeyTypes,
  domainIssueMeanings,
  domainIssues,
  domainStatuses,
  severities,
  severityMeanings,
  tlsMinVersions,
  tlsModeMeanings,
  tlsModes,
  upstreamSchemes,
} from "./domain.ts";
import {
  adminStates,
  environments,
  healthMeanings,
  healths,
  proxyKindMeanings,
  proxyKinds,
  proxyProtocols,
  proxySoftwares,
} from "./proxy.ts";

export const inventoryChoiceSchemas = createNamedChoiceSchemas([
  ["ProxyKind", proxyKinds, describeValues("Role of the proxy.", proxyKindMeanings)],
  ["ProxySoftware", proxySoftwares, "Software of the proxy."],
  ["ProxyProtocol", proxyProtocols, "Protocol between clients and the proxy."],
  ["Environment", environments, "Environment to which the proxy belongs."],
  ["AdminState", adminStates, "State that the operators set for the proxy."],
  ["Health", healths, describeValues("Result of the latest probe.", healthMeanings)],
  ["DomainStatus", domainStatuses, "State of the domain."],
  ["UpstreamScheme", upstreamSchemes, "Protocol between the proxy and the upstream."],
  ["TlsMode", tlsModes, describeValues("Where TLS ends.", tlsModeMeanings)],
  ["TlsMinVersion", tlsMinVersions, "Lowest TLS version that the proxy accepts for the domain."],
  ["CertKeyType", certKeyTypes, "Algorithm and size of the certificate's key."],
  ["Severity", severities, describeValues("How soon a certificate expires, worst first.", severityMeanings)],
  ["DomainIssue", domainIssues, describeValues("Problems of a domain.", domainIssueMeanings)],
]);

export const choiceField = createChoiceFieldFactory(inventoryChoiceSchemas);

function describeValues(about: string, meanings: Readonly<Record<string, string>>): string {
  return [about, ...Object.entries(meanings).map(([value, meaning]) => `${value}: ${meaning}`)].join(" ");
}
