import { createChoiceFieldFactory, createNamedChoiceSchemas, describeMeanings } from "../record/choice-field.ts";
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
  ["ProxyKind", proxyKinds, `Role of the proxy. ${describeMeanings(proxyKindMeanings)}`],
  ["ProxySoftware", proxySoftwares, "Software of the proxy."],
  ["ProxyProtocol", proxyProtocols, "Protocol between clients and the proxy."],
  ["Environment", environments, "Environment to which the proxy belongs."],
  ["AdminState", adminStates, "State that the operators set for the proxy."],
  ["Health", healths, `Result of the latest probe. ${describeMeanings(healthMeanings)}`],
  ["DomainStatus", domainStatuses, "State of the domain."],
  ["UpstreamScheme", upstreamSchemes, "Protocol between the proxy and the upstream."],
  ["TlsMode", tlsModes, `Where TLS ends. ${describeMeanings(tlsModeMeanings)}`],
  ["TlsMinVersion", tlsMinVersions, "Lowest TLS version that the proxy accepts for the domain."],
  ["CertKeyType", certKeyTypes, "Algorithm and size of the certificate's key."],
  ["Severity", severities, `How soon a certificate expires, worst first. ${describeMeanings(severityMeanings)}`],
  ["DomainIssue", domainIssues, `Problems of a domain. ${describeMeanings(domainIssueMeanings)}`],
]);

export const choiceField = createChoiceFieldFactory(inventoryChoiceSchemas);
