import { createChoiceField, createNamedChoices } from "../record/choice-field.ts";
import {
  certKeyTypes,
  domainIssues,
  domainStatuses,
  severities,
  tlsMinVersions,
  tlsModes,
  upstreamSchemes,
} from "./domain.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

export const inventoryChoices = createNamedChoices([
  [
    "ProxyKind",
    proxyKinds,
    "Role of the proxy. REVERSE: it accepts requests for servers. FORWARD: it sends requests of clients. STREAM: it forwards connections.",
  ],
  ["ProxySoftware", proxySoftwares, "Software of the proxy."],
  ["ProxyProtocol", proxyProtocols, "Protocol between clients and the proxy."],
  ["Environment", environments, "Environment to which the proxy belongs."],
  ["AdminState", adminStates, "State that the operators set for the proxy."],
  ["Health", healths, "Result of the latest probe."],
  ["DomainStatus", domainStatuses, "State of the domain."],
  ["UpstreamScheme", upstreamSchemes, "Protocol between the proxy and the upstream."],
  [
    "TlsMode",
    tlsModes,
    "Where TLS ends. NONE: TLS is not used. ACME, CUSTOM: at the proxy, with a certificate from ACME or a custom one. PASSTHROUGH: at the upstream.",
  ],
  ["TlsMinVersion", tlsMinVersions, "Lowest TLS version that the proxy accepts for the domain."],
  ["CertKeyType", certKeyTypes, "Algorithm and size of the certificate's key."],
  ["Severity", severities, "How soon a certificate expires, worst first."],
  ["DomainIssue", domainIssues, "Problems of a domain."],
]);

export const choiceField = createChoiceField(inventoryChoices);
